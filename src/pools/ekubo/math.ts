import { smaller } from "../../math/full-math.ts";
import { concentratedCurve, concentratedOutline } from "../concentrated/curve.ts";
import { firstLiquidTick } from "../concentrated/ticks.ts";
import { isOfTwo } from "../direction.ts";
import type { PoolLimits, PoolMath, PoolQuote, Rejection } from "../pool-math.ts";
import { NO_LIMITS, TOO_SMALL, tooLarge, UNSUPPORTED } from "../rejections.ts";
import { feeOf, isToldOfSwaps } from "./config.ts";
import { ekuboGas } from "./gas.ts";
import { ratioAtTick } from "./ratio.ts";
import { EKUBO_SCALE } from "./scale.ts";
import type { EkuboState } from "./state.ts";
import { ekuboStep } from "./step.ts";
import { type EkuboOutcome, ekuboSwap, standsAtEnd } from "./swap.ts";

/** The amounts of a swap are counted in 128 bits with a sign. */
const MAX_MOVED = (1n << 127n) - 1n;
const ONE = 1n << 64n;

/** Swaps of Ekubo's Core up to the end of the scale of prices. */
export const ekuboMath: PoolMath<EkuboState> = {
  quoteExactIn(state, direction, sellAmount) {
    if (!isOfTwo(direction)) return UNSUPPORTED;
    if (sellAmount <= 0n) return TOO_SMALL;
    const zeroForOne = direction.sell === 0;
    if (sellAmount > MAX_MOVED) return tooLarge(limitsOf(state, zeroForOne).maxSell);
    const outcome = ekuboSwap(state, zeroForOne, true, sellAmount);
    if (isOutOfBounds(outcome) || !outcome.filled) return tooLarge(limitsOf(state, zeroForOne).maxSell);
    return outcome.amountOut === 0n ? TOO_SMALL : quoteOf(outcome, outcome.amountOut);
  },

  quoteExactOut(state, direction, buyAmount) {
    if (!isOfTwo(direction)) return UNSUPPORTED;
    if (buyAmount <= 0n) return TOO_SMALL;
    const zeroForOne = direction.sell === 0;
    if (buyAmount > MAX_MOVED) return tooLarge(limitsOf(state, zeroForOne).maxBuy);
    const outcome = ekuboSwap(state, zeroForOne, false, buyAmount);
    if (isOutOfBounds(outcome)) return tooLarge(limitsOf(state, zeroForOne).maxBuy);
    return outcome.filled ? quoteOf(outcome, outcome.amountIn) : tooLarge(outcome.amountOut);
  },

  spotPrice(state, direction) {
    if (!isOfTwo(direction)) return undefined;
    const zeroForOne = direction.sell === 0;
    const sqrtRatio = firstLiquidRatio(state, zeroForOne);
    if (sqrtRatio === undefined) return undefined;
    const token1 = sqrtRatio * sqrtRatio;
    const token0 = 1n << 256n;
    const kept = ONE - feeOf(state.config);
    return zeroForOne ? { num: token1 * kept, den: token0 * ONE } : { num: token0 * kept, den: token1 * ONE };
  },

  limits(state, direction) {
    return isOfTwo(direction) ? limitsOf(state, direction.sell === 0) : NO_LIMITS;
  },

  outline(state, direction) {
    return isOfTwo(direction) ? concentratedOutline(EKUBO_SCALE, state, direction.sell === 0) : undefined;
  },

  inStretches: true,

  curve(state, direction) {
    return isOfTwo(direction) ? concentratedCurve(EKUBO_SCALE, state, direction.sell === 0) : undefined;
  },
};

function quoteOf(outcome: EkuboOutcome, amount: bigint): PoolQuote<EkuboState> | Rejection {
  const { ticksCrossed, wordsRead, next } = outcome;
  return { amount, gas: ekuboGas(ticksCrossed, wordsRead, isToldOfSwaps(next.config)), next };
}

function limitsOf(state: EkuboState, zeroForOne: boolean): PoolLimits {
  const sold = ekuboSwap(state, zeroForOne, true, MAX_MOVED);
  if (sold.amountOut > MAX_MOVED) {
    const { amountIn, amountOut } = ekuboSwap(state, zeroForOne, false, MAX_MOVED);
    return { maxSell: amountIn, maxBuy: amountOut };
  }
  return { maxSell: sold.filled ? sold.amountIn : mostTaken(sold, state, zeroForOne), maxBuy: sold.amountOut };
}

/** The last step takes somewhat more than the price of its end costs, as long as prices are rounded to before that. */
function mostTaken({ amountIn, lastStep }: EkuboOutcome, { config }: EkuboState, zeroForOne: boolean): bigint {
  if (lastStep === undefined) return amountIn;
  const { target, amountInBefore } = lastStep;
  const terms = { zeroForOne, exactIn: true, fee: feeOf(config) };
  const takes = (amount: bigint) => ekuboStep(lastStep, target, amount, terms)?.amountIn === amount;
  let low = amountIn - amountInBefore;
  let high = smaller(MAX_MOVED - amountInBefore, low + (low >> 20n) + 2n);
  while (low < high) {
    const middle = (low + high + 1n) >> 1n;
    if (takes(middle)) low = middle;
    else high = middle - 1n;
  }
  return amountInBefore + low;
}

function isOutOfBounds({ amountIn, amountOut }: EkuboOutcome): boolean {
  return amountIn > MAX_MOVED || amountOut > MAX_MOVED;
}

/** The price at which a swap of no size trades: where liquidity is active first. */
function firstLiquidRatio(state: EkuboState, zeroForOne: boolean): bigint | undefined {
  if (standsAtEnd(state, zeroForOne)) return undefined;
  if (state.liquidity > 0n) return state.sqrtRatio;
  const index = firstLiquidTick(state.ticks, state.tick, zeroForOne);
  return index === undefined ? undefined : ratioAtTick(index);
}
