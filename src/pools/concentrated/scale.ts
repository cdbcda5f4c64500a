import { MAX_SQRT_RATIO, MAX_TICK, MIN_SQRT_RATIO, MIN_TICK } from "../../math/tick-math.ts";
import { swapFeePpm } from "./fee.ts";
import { concentratedGas } from "./gas.ts";
import type { PriceScale } from "./path.ts";
import type { ConcentratedState } from "./state.ts";
import { standsAtLimit } from "./swap.ts";
import { wordEdge } from "./ticks.ts";

const Q96 = 2 ** 96;

/** Uniswap V3's ticks and prices, for float views. */
export const CONCENTRATED_SCALE: PriceScale<ConcentratedState> = {
  minTick: MIN_TICK,
  maxTick: MAX_TICK,
  lowest: Number(MIN_SQRT_RATIO) / Q96,
  highest: Number(MAX_SQRT_RATIO) / Q96,
  logSqrtBase: Math.log(1.0001) / 2,
  sqrtPrice: ({ sqrtPriceX96 }) => Number(sqrtPriceX96) / Q96,
  keep: (state, zeroForOne) => 1 - swapFeePpm(state, zeroForOne) / 1e6,
  standsAtLimit,
  wordSpacing: ({ byTicks, tickSpacing }) => (byTicks ? undefined : tickSpacing),
  wordEdge,
  gas: (next, ticksCrossed, wordsRead) => Number(concentratedGas({ ticksCrossed, wordsRead, next })),
};
