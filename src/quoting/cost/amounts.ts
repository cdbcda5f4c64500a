import { divide } from "../../domain/ratio.ts";
import { partsOf, type SwapFee } from "../../domain/terms/swap-fee.ts";
import { MAX_UINT256 } from "../../math/full-math.ts";
import { FRACTION_ONE } from "../answer/types.ts";

/** Denominator of fee rates. */
export const FEE_ONE = 1_000_000n;

/** Each part of a fee on a gross amount: floor(gross * rate / 10^6), as the gateway takes it. */
export function feesOn(gross: bigint, fee: SwapFee | undefined): readonly bigint[] {
  return partsOf(fee).map(({ ratePpm }) => (gross * ratePpm) / FEE_ONE);
}

/** All parts of a fee on a gross amount. */
export function feeOn(gross: bigint, fee: SwapFee | undefined): bigint {
  return feesOn(gross, fee).reduce((sum, part) => sum + part, 0n);
}

/** The smallest gross amount that leaves `net` after a fee. */
export function grossFor(net: bigint, fee: SwapFee | undefined): bigint {
  const ratePpm = partsOf(fee).reduce((sum, part) => sum + part.ratePpm, 0n);
  let gross = ((net - 1n) * FEE_ONE) / (FEE_ONE - ratePpm) + 1n;
  // Parts are rounded down one by one, which leaves a little more than one fee of all rates does.
  while (gross > 1n && gross - 1n - feeOn(gross - 1n, fee) >= net) gross -= 1n;
  return gross;
}

/**
 * Each part of a fee on the sold token, where the executor took `sold` of what the fee leaves of `maxSellAmount`: as much
 * less than on all of it, rounded down, as the gateway takes it.
 */
export function feesOnSold(sold: bigint, maxSellAmount: bigint, fee: SwapFee): readonly bigint[] {
  const most = maxSellAmount - feeOn(maxSellAmount, fee);
  return feesOn(maxSellAmount, fee).map((part) => (part * sold) / most);
}

/** The least that an exact-in transaction accepts: max(1, floor(buyAmount * (1 - slippage))). */
export function minBuyAmountFor(buyAmount: bigint, slippage: bigint): bigint {
  const least = (buyAmount * (FRACTION_ONE - slippage)) / FRACTION_ONE;
  return least > 1n ? least : 1n;
}

/** The most that an exact-out transaction sells: min(2^256 - 1, ceil(sellAmount * (1 + slippage))). */
export function maxSellAmountFor(sellAmount: bigint, slippage: bigint): bigint {
  const most = divide(sellAmount * (FRACTION_ONE + slippage), FRACTION_ONE, "up");
  return most < MAX_UINT256 ? most : MAX_UINT256;
}
