import { divRoundingUp, MAX_UINT128, MAX_UINT256 } from "../../math/full-math.ts";
import { keptRatio } from "./ratio.ts";

/**
 * One step of a swap over constant liquidity, rounded as Ekubo rounds it. Source: EkuboProtocol/evm-contracts v3.2.0, Core.sol
 * with math/fee.sol, math/delta.sol and math/sqrtRatio.sol.
 */

/** Terms of a swap: `zeroForOne` sells token 0; the amount is sold (`exactIn`) or bought. `fee` is a part of 2^64. */
export interface SwapTerms {
  readonly zeroForOne: boolean;
  readonly exactIn: boolean;
  readonly fee: bigint;
}

/** A price, and the liquidity from there on. */
export interface EkuboPlace {
  readonly sqrtRatio: bigint;
  readonly liquidity: bigint;
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
  place: EkuboPlace,
  target: bigint,
  remaining: bigint,
  { zeroForOne, exactIn, fee }: SwapTerms,
): EkuboStep | undefined {
  const { sqrtRatio } = place;
  const moves = exactIn ? remaining - ((remaining * fee + ONE - 1n) >> 64n) : remaining;
  const next = exactIn ? ratioAfterInput(place, moves, zeroForOne) : ratioAfterOutput(place, moves, zeroForOne);
  if (next === undefined) return undefined;
  const isCut = zeroForOne ? next < target : next > target;
  const end = isCut ? target : next;
  if (exactIn && end === sqrtRatio && !isCut) return { sqrtRatio, amountIn: remaining, amountOut: 0n };
  const amountOut = exactIn || isCut ? amountBetween(place, end, zeroForOne ? 1 : 0, false) : remaining;
  const amountIn = exactIn && !isCut ? remaining : beforeFee(amountBetween(place, end, zeroForOne ? 0 : 1, true), fee);
  if (amountIn === undefined || amountOut === undefined) return undefined;
  return { sqrtRatio: end, amountIn, amountOut };
}

/** Amount of a token between two prices; undefined where Core cannot count it. */
function amountBetween(
  { sqrtRatio, liquidity }: EkuboPlace,
  end: bigint,
  token: 0 | 1,
  roundUp: boolean,
): bigint | undefined {
  const [lower, upper] = end < sqrtRatio ? [end, sqrtRatio] : [sqrtRatio, end];
  const product = liquidity * (upper - lower);
  const divided = roundUp ? divRoundingUp : divRoundingDown;
  const amount = token === 0 ? divided(divided(product << 128n, upper), lower) : divided(product, Q128);
  return amount > MAX_UINT128 ? undefined : amount;
}

function divRoundingDown(a: bigint, b: bigint): bigint {
  return a / b;
}

/** The least amount of which the fee leaves so much. */
function beforeFee(amount: bigint | undefined, fee: bigint): bigint | undefined {
  if (amount === undefined) return undefined;
  const before = divRoundingUp(amount << 64n, ONE - fee);
  return before > MAX_UINT128 ? undefined : before;
}

/** The price once `amount` (fee taken off) has gone in. */
function ratioAfterInput(
  { sqrtRatio, liquidity }: EkuboPlace,
  amount: bigint,
  zeroForOne: boolean,
): bigint | undefined {
  if (zeroForOne) {
    if (amount === 0n) return sqrtRatio;
    const scaled = liquidity << 128n;
    return keptRatio(divRoundingUp(scaled, scaled / sqrtRatio + amount), true);
  }
  return keptRatio(sqrtRatio + (amount << 128n) / liquidity, false) ?? BEYOND;
}

/** The price once `amount` has gone out; undefined where Core cannot count it. */
function ratioAfterOutput(
  { sqrtRatio, liquidity }: EkuboPlace,
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
