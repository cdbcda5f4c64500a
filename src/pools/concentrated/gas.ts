import type { SwapOutcome } from "./swap.ts";

/** Gas of a swap that stays within one word of ticks. */
const BASE_GAS = 75_000n;
/** Gas of each initialized tick that is crossed. */
const TICK_GAS = 24_200n;
/** Gas of each further look into the tick bitmap. */
const WORD_GAS = 4_000n;

/** Gas of a swap, callback and both transfers included. */
export function concentratedGas(outcome: Pick<SwapOutcome, "ticksCrossed" | "wordsRead">): bigint {
  return BASE_GAS + TICK_GAS * BigInt(outcome.ticksCrossed) + WORD_GAS * BigInt(Math.max(0, outcome.wordsRead - 1));
}
