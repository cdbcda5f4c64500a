import type { StableswapState } from "./state.ts";

/** Fees and the multiplier of NG's fee are in parts of this. */
export const FEE_ONE = 10n ** 10n;

/** Whether the fee depends on how far the pool is from its peg. */
export function feeGrows({ offpegFeeMultiplier }: StableswapState): boolean {
  return offpegFeeMultiplier !== undefined && offpegFeeMultiplier > FEE_ONE;
}

/** The fee of an exchange between these mean balances, in parts of 10^10: NG's grows with their distance. */
export function feeFor(state: StableswapState, x: bigint, y: bigint): bigint {
  return grownFee(state, state.fee, x, y);
}

/** The fee of what an addition or removal is out of proportion, in parts of 10^10, before it grows. */
export function imbalanceFee({ fee, balances }: StableswapState): bigint {
  const count = BigInt(balances.length);
  return (fee * count) / (4n * (count - 1n));
}

/** Fee between these mean balances: NG's grows with their distance (_dynamic_fee). */
export function grownFee({ offpegFeeMultiplier }: StableswapState, fee: bigint, x: bigint, y: bigint): bigint {
  if (offpegFeeMultiplier === undefined || offpegFeeMultiplier <= FEE_ONE) return fee;
  const together = (x + y) ** 2n;
  return (offpegFeeMultiplier * fee) / (((offpegFeeMultiplier - FEE_ONE) * 4n * x * y) / together + FEE_ONE);
}

/** In floats: two mean balances, and how much they grow with what is traded. */
export interface Means {
  readonly u: number;
  readonly v: number;
  readonly du: number;
  readonly dv: number;
}

/** Fee in floats, as a part, and its growth per unit traded. `multiplier` is a ratio of at least 1. */
export function feeAlong(fee: number, multiplier: number, { u, v, du, dv }: Means): { part: number; growth: number } {
  if (multiplier <= 1) return { part: fee, growth: 0 };
  const sum = u + v;
  const peg = (4 * u * v) / (sum * sum);
  const pegGrowth = (4 * ((du * v + u * dv) * sum - 2 * u * v * (du + dv))) / (sum * sum * sum);
  const below = (multiplier - 1) * peg + 1;
  return {
    part: (multiplier * fee) / below,
    growth: (-multiplier * fee * (multiplier - 1) * pegGrowth) / (below * below),
  };
}
