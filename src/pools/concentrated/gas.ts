import type { SwapOutcome } from "./swap.ts";

/** Gas of a swap within one word of ticks, measured on the real pool (test/pools/gas.test.ts), as all of these. */
const BASE_GAS = 75_000n;
/** Gas of each initialized tick that is crossed, its step included. */
const TICK_GAS = 25_000n;
/** Gas of each step to the edge of a bitmap word without a tick. */
const EMPTY_WORD_GAS = 7_500n;

/**
 * Gas of a swap, callback and both transfers included. Pools of Uniswap V4 write down no prices and take a lock instead:
 * one swap costs the same within 4 %, further ones in the same lock less (test/settlement/v4.test.ts).
 */
export function concentratedGas({ ticksCrossed, wordsRead }: Pick<SwapOutcome, "ticksCrossed" | "wordsRead">): bigint {
  const emptyWords = Math.max(0, wordsRead - ticksCrossed - 1);
  return BASE_GAS + TICK_GAS * BigInt(ticksCrossed) + EMPTY_WORD_GAS * BigInt(emptyWords);
}
