import { sqrtRatioAtTick } from "../../math/tick-math.ts";
import { isOfTwo } from "../direction.ts";
import type { PoolLimits, PoolMath } from "../pool-math.ts";
import { NO_LIMITS, NO_LIQUIDITY, TOO_SMALL, tooLarge, UNSUPPORTED } from "../rejections.ts";
import { concentratedCurve, concentratedOutline } from "./curve.ts";
import { stateAt } from "./falling-fee.ts";
import { swapFeePpm } from "./fee.ts";
import { concentratedGas } from "./gas.ts";
import { feeOn, type HookFee, hookFeeOf, mostBefore, mostWithin, sumOf } from "./hook-fee.ts";
import { CONCENTRATED_SCALE, CONCENTRATED_SCALE_TO_BUY } from "./scale.ts";
import type { ConcentratedState } from "./state.ts";
import { type SwapOutcome, standsAtLimit, swap } from "./swap.ts";
import { firstLiquidTick } from "./ticks.ts";

const PPM = 1_000_000n;
/** More than any pool can take or give. */
const EVERYTHING = (1n << 255n) - 1n;

/** Uniswap V3's swap (UniswapV3Pool.sol), as routers call it: without a price limit short of the end of the scale. */
export const concentratedMath: PoolMath<ConcentratedState> = {
  quoteExactIn(state, direction, sellAmount, time) {
    if (!isOfTwo(direction)) return UNSUPPORTED;
    if (sellAmount <= 0n) return TOO_SMALL;
    if (state.sqrtPriceX96 === 0n) return NO_LIQUIDITY;
    const zeroForOne = direction.sell === 0;
    const fee = hookFeeOf(state, zeroForOne, true, time);
    if (takesAll(fee)) return NO_LIQUIDITY;
    const { named, other, whole } = fee;
    const outcome = swap(state, zeroForOne, true, sellAmount - feeOn(sellAmount, named, whole));
    if (isOutOfBounds(state, sellAmount, outcome)) return tooLarge(limitsOf(state, zeroForOne, time).maxSell);
    if (!outcome.filled)
      return tooLarge(state.hook === undefined ? outcome.amountIn : limitsOf(state, zeroForOne, time).maxSell);
    const amount = outcome.amountOut - feeOn(outcome.amountOut, other, whole);
    if (amount === 0n) return TOO_SMALL;
    return { amount, gas: concentratedGas(outcome), next: outcome.next };
  },

  quoteExactOut(state, direction, buyAmount, time) {
    if (!isOfTwo(direction)) return UNSUPPORTED;
    if (buyAmount <= 0n) return TOO_SMALL;
    if (state.sqrtPriceX96 === 0n) return NO_LIQUIDITY;
    const zeroForOne = direction.sell === 0;
    const fee = hookFeeOf(state, zeroForOne, false, time);
    if (takesAll(fee)) return NO_LIQUIDITY;
    const { named, other, whole } = fee;
    const outcome = swap(state, zeroForOne, false, buyAmount + feeOn(buyAmount, named, whole));
    const amount = outcome.amountIn + feeOn(outcome.amountIn, other, whole);
    if (isOutOfBounds(state, amount, outcome)) return tooLarge(limitsOf(state, zeroForOne, time).maxBuy);
    if (!outcome.filled)
      return tooLarge(state.hook === undefined ? outcome.amountOut : limitsOf(state, zeroForOne, time).maxBuy);
    return { amount, gas: concentratedGas(outcome), next: outcome.next };
  },

  spotPrice(state, direction, time) {
    if (!isOfTwo(direction)) return undefined;
    const zeroForOne = direction.sell === 0;
    const sqrtPrice = firstLiquidPrice(state, zeroForOne);
    if (sqrtPrice === undefined) return undefined;
    const token1 = sqrtPrice * sqrtPrice;
    const token0 = 1n << 192n;
    const { named, other, whole } = hookFeeOf(state, zeroForOne, true, time);
    const kept = (PPM - BigInt(swapFeePpm(state, zeroForOne))) * (whole - sumOf(named) - sumOf(other));
    if (kept === 0n) return undefined;
    const all = PPM * whole;
    return zeroForOne ? { num: token1 * kept, den: token0 * all } : { num: token0 * kept, den: token1 * all };
  },

  limits(state, direction, time) {
    return isOfTwo(direction) && state.sqrtPriceX96 !== 0n ? limitsOf(state, direction.sell === 0, time) : NO_LIMITS;
  },

  outline(state, direction) {
    if (!isOfTwo(direction) || state.hook !== undefined) return undefined;
    return concentratedOutline(CONCENTRATED_SCALE, state, direction.sell === 0);
  },

  inStretches: true,

  curve(state, direction, time) {
    if (!isOfTwo(direction)) return undefined;
    const zeroForOne = direction.sell === 0;
    if (state.hook === undefined) return concentratedCurve(CONCENTRATED_SCALE, state, zeroForOne);
    if (takesAll(hookFeeOf(state, zeroForOne, true, time))) return undefined;
    return concentratedCurve(CONCENTRATED_SCALE, stateAt(state, time), zeroForOne, CONCENTRATED_SCALE_TO_BUY);
  },
};

/** Whether a fee leaves nothing of what a swap gives. */
function takesAll({ other, whole }: HookFee): boolean {
  return sumOf(other) >= whole;
}

function limitsOf(state: ConcentratedState, zeroForOne: boolean, time: bigint): PoolLimits {
  const most = state.mostMoved ?? EVERYTHING;
  const sold = swap(state, zeroForOne, true, most);
  const { amountIn, amountOut } = sold.amountOut > most ? swap(state, zeroForOne, false, most) : sold;
  if (state.hook === undefined) return { maxSell: amountIn, maxBuy: amountOut };
  const sale = hookFeeOf(state, zeroForOne, true, time);
  if (takesAll(sale)) return NO_LIMITS;
  const before = mostBefore(amountIn, sale.named, sale.whole);
  const { named, other, whole } = hookFeeOf(state, zeroForOne, false, time);
  const payable = mostWithin(most, other, whole);
  const bought = payable < amountIn ? swap(state, zeroForOne, true, payable).amountOut : amountOut;
  return { maxSell: before < most ? before : most, maxBuy: mostWithin(bought, named, whole) };
}

/** Whether a swap moves more than the contract can count. `amountIn`: with what hooks take. */
function isOutOfBounds({ mostMoved }: ConcentratedState, amountIn: bigint, { amountOut }: SwapOutcome): boolean {
  return mostMoved !== undefined && (amountIn > mostMoved || amountOut > mostMoved);
}

/** The square root price at which a swap of no size trades: where liquidity is active first. */
function firstLiquidPrice(state: ConcentratedState, zeroForOne: boolean): bigint | undefined {
  if (state.sqrtPriceX96 === 0n || standsAtLimit(state, zeroForOne)) return undefined;
  if (state.liquidity > 0n) return state.sqrtPriceX96;
  const index = firstLiquidTick(state.ticks, state.tick, zeroForOne);
  return index === undefined ? undefined : sqrtRatioAtTick(index);
}
