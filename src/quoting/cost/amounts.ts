import { divide } from "../../domain/ratio.ts";
import { MAX_UINT256 } from "../../math/full-math.ts";
import { FRACTION_ONE } from "../answer/answers.ts";

/** What fee rates are parts of. */
export const FEE_ONE = 1_000_000n;

/** The integrator's fee on what a route pays out: floor(gross * rate / 10^6), as the gateway takes it. */
export function feeOn(grossBuyAmount: bigint, ratePpm: bigint): bigint {
  return (grossBuyAmount * ratePpm) / FEE_ONE;
}

/** The smallest gross amount that leaves `buyAmount` after a fee of `ratePpm`. */
export function grossFor(buyAmount: bigint, ratePpm: bigint): bigint {
  return ((buyAmount - 1n) * FEE_ONE) / (FEE_ONE - ratePpm) + 1n;
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
