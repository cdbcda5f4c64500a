import type { PriceScale } from "../concentrated/path.ts";
import { feeOf, isToldOfSwaps, tickSpacingOf } from "./config.ts";
import { ekuboGas } from "./gas.ts";
import { LOG_SQRT_BASE, MAX_RATIO, MAX_TICK, MIN_RATIO, MIN_TICK } from "./ratio.ts";
import type { EkuboState } from "./state.ts";
import { standsAtEnd } from "./swap.ts";
import { ekuboWordEdge } from "./ticks.ts";

const Q128 = 2 ** 128;

/** Ekubo's ticks and prices, for float views. */
export const EKUBO_SCALE: PriceScale<EkuboState> = {
  minTick: MIN_TICK,
  maxTick: MAX_TICK,
  lowest: Number(MIN_RATIO) / Q128,
  highest: Number(MAX_RATIO) / Q128,
  logSqrtBase: LOG_SQRT_BASE,
  sqrtPrice: ({ sqrtRatio }) => Number(sqrtRatio) / Q128,
  keep: ({ config }) => 1 - Number(feeOf(config)) / 2 ** 64,
  give: () => 1,
  standsAtLimit: standsAtEnd,
  wordSpacing: ({ config }) => tickSpacingOf(config),
  wordEdge: ekuboWordEdge,
  gas: ({ config }, ticksCrossed, wordsRead) => Number(ekuboGas(ticksCrossed, wordsRead, isToldOfSwaps(config))),
};
