import type { ConcentratedState } from "./state.ts";
import type { SwapOutcome } from "./swap.ts";

/** Gas of a swap within one word of ticks, callback and both transfers included; test/promise/gas-of-touches.test.ts. */
const BASE_GAS = 65_000n;
/** More for Uniswap V4: a lock, but no prices are written down; further ones in the same lock are less. */
const LOCK_GAS = 4_000n;
/**
 * Gas of each initialized tick that is crossed, its step included: four slots read and three written again. One that was
 * never crossed before costs up to 34,200 more, since two of them are zero until then. Uniswap V4 and Algebra keep fewer.
 */
const TICK_GAS = { own: 25_000n, lean: 18_500n } as const;
/** Gas of each step to the edge of a bitmap word without a tick. */
const EMPTY_WORD_GAS = 7_500n;

type Swapped = Pick<SwapOutcome, "ticksCrossed" | "wordsRead"> & {
  /** Absent: a pool as Uniswap V3 has them, which is the least where no tick is crossed. */
  readonly next?: Pick<ConcentratedState, "key" | "byTicks">;
};

export function concentratedGas({ ticksCrossed, wordsRead, next }: Swapped): bigint {
  const emptyWords = Math.max(0, wordsRead - ticksCrossed - 1);
  const isLean = next?.key !== undefined || next?.byTicks === true;
  const perTick = isLean ? TICK_GAS.lean : TICK_GAS.own;
  const lock = next?.key === undefined ? 0n : LOCK_GAS;
  return BASE_GAS + lock + perTick * BigInt(ticksCrossed) + EMPTY_WORD_GAS * BigInt(emptyWords);
}
