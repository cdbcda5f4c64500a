import { sqrtRatioAtTick } from "../../math/tick-math.ts";
import { isOfTwo } from "../direction.ts";
import type { PoolLimits, PoolMath } from "../pool-math.ts";
import { NO_LIMITS, NO_LIQUIDITY, TOO_SMALL, tooLarge, UNSUPPORTED } from "../rejections.ts";
import { concentratedCurve, concentratedOutline } from "./curve.ts";
import { swapFeePpm } from "./fee.ts";
import { concentratedGas } from "./gas.ts";
import { CONCENTRATED_SCALE } from "./scale.ts";
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
    const outcome = swap(state, direction.sell === 0, true, sellAmount);
    if (isOutOfBounds(state, outcome)) return tooLarge(limitsOf(state, direction.sell === 0).maxSell);
    if (!outcome.filled) return tooLarge(outcome.amountIn);
    if (outcome.amountOut === 0n) return TOO_SMALL;
    return { amount: outcome.amountOut, gas: concentratedGas(outcome), next: outcome.next };
  },

  quoteExactOut(state, direction, buyAmount) {
    if (!isOfTwo(direction)) return UNSUPPORTED;
    if (buyAmount <= 0n) return TOO_SMALL;
    if (state.sqrtPriceX96 === 0n) return NO_LIQUIDITY;
    const outcome = swap(state, direction.sell === 0, false, buyAmount);
    if (isOutOfBounds(state, outcome)) return tooLarge(limitsOf(state, direction.sell === 0).maxBuy);
    if (!outcome.filled) return tooLarge(outcome.amountOut);
    return { amount: outcome.amountIn, gas: concentratedGas(outcome), next: outcome.next };
  },

  spotPrice(state, direction) {
    if (!isOfTwo(direction)) return undefined;
    const zeroForOne = direction.sell === 0;
    const sqrtPrice = firstLiquidPrice(state, zeroForOne);
    if (sqrtPrice === undefined) return undefined;
    const token1 = sqrtPrice * sqrtPrice;
    const token0 = 1n << 192n;
    const kept = PPM - BigInt(swapFeePpm(state, zeroForOne));
    return zeroForOne ? { num: token1 * kept, den: token0 * PPM } : { num: token0 * kept, den: token1 * PPM };
  },

  limits(state, direction) {
    return isOfTwo(direction) && state.sqrtPriceX96 !== 0n ? limitsOf(state, direction.sell === 0) : NO_LIMITS;
  },

  outline(state, direction) {
    return isOfTwo(direction) ? concentratedOutline(CONCENTRATED_SCALE, state, direction.sell === 0) : undefined;
  },

  inStretches: true,

  curve(state, direction) {
    return isOfTwo(direction) ? concentratedCurve(CONCENTRATED_SCALE, state, direction.sell === 0) : undefined;
  },
};

function limitsOf(state: ConcentratedState, zeroForOne: boolean): PoolLimits {
  const most = state.mostMoved ?? EVERYTHING;
  const sold = swap(state, zeroForOne, true, most);
  const outcome = sold.amountOut > most ? swap(state, zeroForOne, false, most) : sold;
  return { maxSell: outcome.amountIn, maxBuy: outcome.amountOut };
}

/** Whether a swap moves more than the contract can count. */
function isOutOfBounds({ mostMoved }: ConcentratedState, { amountIn, amountOut }: SwapOutcome): boolean {
  return mostMoved !== undefined && (amountIn > mostMoved || amountOut > mostMoved);
}

/** The square root price at which a swap of no size trades: where liquidity is active first. */
function firstLiquidPrice(state: ConcentratedState, zeroForOne: boolean): bigint | undefined {
  if (state.sqrtPriceX96 === 0n || standsAtLimit(state, zeroForOne)) return undefined;
  if (state.liquidity > 0n) return state.sqrtPriceX96;
  const index = firstLiquidTick(state.ticks, state.tick, zeroForOne);
  return index === undefined ? undefined : sqrtRatioAtTick(index);
}
