import type { StableswapState } from "./state.ts";

/** Fees and the multiplier of NG's fee are in parts of this. */
export const FEE_ONE = 10n ** 10n;

/** Whether the fee depends on how far the pool is from its peg. */
export function feeGrows({ offpegFeeMultiplier }: StableswapState): boolean {
  return offpegFeeMultiplier !== undefined && offpegFeeMultiplier > FEE_ONE;
}

/** The fee of an exchange between these mean balances, in parts of 10^10: NG's grows with their distance. */
export function feeFor({ fee, offpegFeeMultiplier }: StableswapState, x: bigint, y: bigint): bigint {
  if (offpegFeeMultiplier === undefined || offpegFeeMultiplier <= FEE_ONE) return fee;
  const together = (x + y) ** 2n;
  return (offpegFeeMultiplier * fee) / (((offpegFeeMultiplier - FEE_ONE) * 4n * x * y) / together + FEE_ONE);
}
