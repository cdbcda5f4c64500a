import { MAX_SQRT_RATIO, MAX_TICK, MIN_SQRT_RATIO, MIN_TICK } from "../../math/tick-math.ts";
import { swapFeePpm } from "./fee.ts";
import { concentratedGas } from "./gas.ts";
import { hookFeeOf, shareOf } from "./hook-fee.ts";
import type { PriceScale } from "./path.ts";
import type { ConcentratedState } from "./state.ts";
import { standsAtLimit } from "./swap.ts";
import { wordEdge } from "./ticks.ts";

const Q96 = 2 ** 96;

/** Time of a state whose fees no longer depend on it. */
const ANY_TIME = 0n;

/** Uniswap V3's ticks and prices, for float views of states whose fees do not depend on time. */
export const CONCENTRATED_SCALE: PriceScale<ConcentratedState> = {
  minTick: MIN_TICK,
  maxTick: MAX_TICK,
  lowest: Number(MIN_SQRT_RATIO) / Q96,
  highest: Number(MAX_SQRT_RATIO) / Q96,
  logSqrtBase: Math.log(1.0001) / 2,
  sqrtPrice: ({ sqrtPriceX96 }) => Number(sqrtPriceX96) / Q96,
  keep(state, zeroForOne) {
    const { named, whole } = hookFeeOf(state, zeroForOne, true, ANY_TIME);
    return (1 - swapFeePpm(state, zeroForOne) / 1e6) * (1 - shareOf(named, whole));
  },
  give(state, zeroForOne) {
    const { other, whole } = hookFeeOf(state, zeroForOne, true, ANY_TIME);
    return 1 - shareOf(other, whole);
  },
  standsAtLimit,
  wordSpacing: ({ byTicks, tickSpacing }) => (byTicks ? undefined : tickSpacing),
  wordEdge,
  gas: (next, ticksCrossed, wordsRead) => Number(concentratedGas({ ticksCrossed, wordsRead, next })),
};

/** The scale of swaps whose output is named: hooks put their fee on top of an amount, which is less than what they take off one. */
export const CONCENTRATED_SCALE_TO_BUY: PriceScale<ConcentratedState> = {
  ...CONCENTRATED_SCALE,
  keep(state, zeroForOne) {
    const { other, whole } = hookFeeOf(state, zeroForOne, false, ANY_TIME);
    return (1 - swapFeePpm(state, zeroForOne) / 1e6) / (1 + shareOf(other, whole));
  },
  give(state, zeroForOne) {
    const { named, whole } = hookFeeOf(state, zeroForOne, false, ANY_TIME);
    return 1 / (1 + shareOf(named, whole));
  },
};
