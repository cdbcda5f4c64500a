import { sqrtRatioAtTick } from "../../math/tick-math.ts";
import { isOfTwo } from "../direction.ts";
import type { PoolLimits, PoolMath } from "../pool-math.ts";
import { NO_LIMITS, NO_LIQUIDITY, TOO_SMALL, tooLarge, UNSUPPORTED } from "../rejections.ts";
import { concentratedCurve, concentratedOutline } from "./curve.ts";
import { swapFeePpm } from "./fee.ts";
import { concentratedGas } from "./gas.ts";
import { feeOn, hookFeeOf, mostBefore, mostWithin, sumOf } from "./hook-fee.ts";
import { CONCENTRATED_SCALE, CONCENTRATED_SCALE_TO_BUY } from "./scale.ts";
import type { ConcentratedState } from "./state.ts";
import { type SwapOutcome, standsAtLimit, swap } from "./swap.ts";
import { firstLiquidTick } from "./ticks.ts";

const PPM = 1_000_000n;
/** More than any pool can take or give. */
const EVERYTHING = (1n << 255n) - 1n;

/** Uniswap V3's swap (UniswapV3Pool.sol), as routers call it: without a price limit short of the end of the scale. */
export const concentratedMath: PoolMath<ConcentratedState> = {
  quoteExactIn(state, direction, sellAmount) {
    if (!isOfTwo(direction)) return UNSUPPORTED;
    if (sellAmount <= 0n) return TOO_SMALL;
    if (state.sqrtPriceX96 === 0n) return NO_LIQUIDITY;
    const zeroForOne = direction.sell === 0;
    const fee = hookFeeOf(state, zeroForOne, true);
    const outcome = swap(state, zeroForOne, true, sellAmount - feeOn(sellAmount, fee.named));
    if (isOutOfBounds(state, sellAmount, outcome)) return tooLarge(limitsOf(state, zeroForOne).maxSell);
    if (!outcome.filled)
      return tooLarge(state.hook === undefined ? outcome.amountIn : limitsOf(state, zeroForOne).maxSell);
    const amount = outcome.amountOut - feeOn(outcome.amountOut, fee.other);
    if (amount === 0n) return TOO_SMALL;
    return { amount, gas: concentratedGas(outcome), next: outcome.next };
  },

  quoteExactOut(state, direction, buyAmount) {
    if (!isOfTwo(direction)) return UNSUPPORTED;
    if (buyAmount <= 0n) return TOO_SMALL;
    if (state.sqrtPriceX96 === 0n) return NO_LIQUIDITY;
    const zeroForOne = direction.sell === 0;
    const fee = hookFeeOf(state, zeroForOne, false);
    const outcome = swap(state, zeroForOne, false, buyAmount + feeOn(buyAmount, fee.named));
    const amount = outcome.amountIn + feeOn(outcome.amountIn, fee.other);
    if (isOutOfBounds(state, amount, outcome)) return tooLarge(limitsOf(state, zeroForOne).maxBuy);
    if (!outcome.filled)
      return tooLarge(state.hook === undefined ? outcome.amountOut : limitsOf(state, zeroForOne).maxBuy);
    return { amount, gas: concentratedGas(outcome), next: outcome.next };
  },

  spotPrice(state, direction) {
    if (!isOfTwo(direction)) return undefined;
    const zeroForOne = direction.sell === 0;
    const sqrtPrice = firstLiquidPrice(state, zeroForOne);
    if (sqrtPrice === undefined) return undefined;
    const token1 = sqrtPrice * sqrtPrice;
    const token0 = 1n << 192n;
    const { named, other } = hookFeeOf(state, zeroForOne, true);
    const kept = (PPM - BigInt(swapFeePpm(state, zeroForOne))) * (PPM - sumOf(named) - sumOf(other));
    const whole = PPM * PPM;
    return zeroForOne ? { num: token1 * kept, den: token0 * whole } : { num: token0 * kept, den: token1 * whole };
  },

  limits(state, direction) {
    return isOfTwo(direction) && state.sqrtPriceX96 !== 0n ? limitsOf(state, direction.sell === 0) : NO_LIMITS;
  },

  outline(state, direction) {
    if (!isOfTwo(direction) || state.hook !== undefined) return undefined;
    return concentratedOutline(CONCENTRATED_SCALE, state, direction.sell === 0);
  },

  inStretches: true,

  curve(state, direction) {
    if (!isOfTwo(direction)) return undefined;
    const toBuy = state.hook === undefined ? undefined : CONCENTRATED_SCALE_TO_BUY;
    return concentratedCurve(CONCENTRATED_SCALE, state, direction.sell === 0, toBuy);
  },
};

function limitsOf(state: ConcentratedState, zeroForOne: boolean): PoolLimits {
  const most = state.mostMoved ?? EVERYTHING;
  const sold = swap(state, zeroForOne, true, most);
  const { amountIn, amountOut } = sold.amountOut > most ? swap(state, zeroForOne, false, most) : sold;
  if (state.hook === undefined) return { maxSell: amountIn, maxBuy: amountOut };
  const before = mostBefore(amountIn, hookFeeOf(state, zeroForOne, true).named);
  const { named, other } = hookFeeOf(state, zeroForOne, false);
  const payable = mostWithin(most, other);
  const bought = payable < amountIn ? swap(state, zeroForOne, true, payable).amountOut : amountOut;
  return { maxSell: before < most ? before : most, maxBuy: mostWithin(bought, named) };
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
