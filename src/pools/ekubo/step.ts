import { divRoundingUp, MAX_UINT128, MAX_UINT256 } from "../../math/full-math.ts";
import { keptRatio } from "./ratio.ts";

/**
 * One step of a swap over constant liquidity, rounded as Ekubo rounds it. Source: EkuboProtocol/evm-contracts v3.2.0, Core.sol
 * with math/fee.sol, math/delta.sol and math/sqrtRatio.sol.
 */

/** What is swapped: `zeroForOne` sells token 0; the amount is sold (`exactIn`) or bought. `fee` is a part of 2^64. */
export interface SwapTerms {
  readonly zeroForOne: boolean;
  readonly exactIn: boolean;
  readonly fee: bigint;
}

export interface EkuboStep {
  readonly sqrtRatio: bigint;
  /** Amount in, fee included. */
  readonly amountIn: bigint;
  readonly amountOut: bigint;
}

const ONE = 1n << 64n;
const Q128 = 1n << 128n;
/** Stands for a price beyond all that can be: the liquidity does not have as much. */
const BEYOND = 1n << 200n;
/** The largest price that can be rounded up. */
const MAX_ROUNDED_UP = (1n << 192n) - (1n << 98n);

/** A step towards `target`, where it ends at the latest; undefined where Core reverts. `liquidity` is above zero. */
export function ekuboStep(
  sqrtRatio: bigint,
  target: bigint,
  liquidity: bigint,
  remaining: bigint,
  terms: SwapTerms,
): EkuboStep | undefined {
  const { zeroForOne, exactIn, fee } = terms;
  const moves = exactIn ? remaining - ((remaining * fee + ONE - 1n) >> 64n) : remaining;
  const next = exactIn
    ? ratioAfterInput(sqrtRatio, liquidity, moves, zeroForOne)
    : ratioAfterOutput(sqrtRatio, liquidity, moves, zeroForOne);
  if (next === undefined) return undefined;
  const isCut = zeroForOne ? next < target : next > target;
  const end = isCut ? target : next;
  if (exactIn && end === sqrtRatio && !isCut) return { sqrtRatio, amountIn: remaining, amountOut: 0n };
  const [lower, upper] = end < sqrtRatio ? [end, sqrtRatio] : [sqrtRatio, end];
  const amountOut = exactIn || isCut ? amountBetween(lower, upper, liquidity, { of0: !zeroForOne, up: false }) : remaining;
  const amountIn =
    !exactIn || isCut
      ? beforeFee(amountBetween(lower, upper, liquidity, { of0: zeroForOne, up: true }), fee)
      : remaining;
  if (amountIn === undefined || amountOut === undefined) return undefined;
  return { sqrtRatio: end, amountIn, amountOut };
}

/** Amount of a token between two prices; undefined where Core cannot count it. */
function amountBetween(
  lower: bigint,
  upper: bigint,
  liquidity: bigint,
  { of0, up }: { readonly of0: boolean; readonly up: boolean },
): bigint | undefined {
  const product = liquidity * (upper - lower);
  const amount = of0 ? amount0(product << 128n, lower, upper, up) : up ? divRoundingUp(product, Q128) : product >> 128n;
  return amount > MAX_UINT128 ? undefined : amount;
}

function amount0(numerator: bigint, lower: bigint, upper: bigint, up: boolean): bigint {
  return up ? divRoundingUp(divRoundingUp(numerator, upper), lower) : numerator / upper / lower;
}

/** The least amount of which the fee leaves so much. */
function beforeFee(amount: bigint | undefined, fee: bigint): bigint | undefined {
  if (amount === undefined) return undefined;
  const before = divRoundingUp(amount << 64n, ONE - fee);
  return before > MAX_UINT128 ? undefined : before;
}

/** The price once `amount` (fee taken off) has gone in. */
function ratioAfterInput(sqrtRatio: bigint, liquidity: bigint, amount: bigint, zeroForOne: boolean): bigint | undefined {
  if (zeroForOne) {
    if (amount === 0n) return sqrtRatio;
    const scaled = liquidity << 128n;
    return keptRatio(divRoundingUp(scaled, scaled / sqrtRatio + amount), true);
  }
  return keptRatio(sqrtRatio + (amount << 128n) / liquidity, false) ?? BEYOND;
}

/** The price once `amount` has gone out; undefined where Core cannot count it. */
function ratioAfterOutput(
  sqrtRatio: bigint,
  liquidity: bigint,
  amount: bigint,
  zeroForOne: boolean,
): bigint | undefined {
  if (zeroForOne) {
    const fall = divRoundingUp(amount << 128n, liquidity);
    return fall < sqrtRatio ? keptRatio(sqrtRatio - fall, false) : 0n;
  }
  const scaled = liquidity << 128n;
  const product = sqrtRatio * amount;
  if (product >= scaled) return BEYOND;
  const next = divRoundingUp(scaled * sqrtRatio, scaled - product);
  if (next > MAX_UINT256) return undefined;
  return next > MAX_ROUNDED_UP ? BEYOND : keptRatio(next, true);
}
