/**
 * Gas of a swap within one word of ticks, lock and both transfers included: 58,000 with the makers' Core, 12,000 more with the
 * one of test/settlement/venues/ekubo/ekubo.test.ts.
 */
const SWAP = 64_000n;
/** Each initialized tick that is crossed, its step included: three slots read and two written again. */
const TICK = 16_500n;
/** Each step to the edge of a word without a tick. */
const EMPTY_WORD = 6_000n;
/** Gas that a further swap in one transaction saves. */
export const SAVED_AGAIN = 22_000n;
/** Writes of a passive extension, once a block: the price of an oracle, or the boosted fees of positions. */
const EXTENSION = 45_000n;
/** The most that a first swap takes beyond that: fees that were never written before. */
const FIRST_USE = 45_000n;
/** The growth of both tokens' fees outside a tick that was never crossed. */
const FIRST_CROSSING = 34_200n;

/** Gas of a swap. `isTold`: whether the pool's extension is told of it. */
export function ekuboGas(ticksCrossed: number, wordsRead: number, isTold: boolean): bigint {
  const emptyWords = Math.max(0, wordsRead - ticksCrossed - 1);
  return SWAP + (isTold ? EXTENSION : 0n) + TICK * BigInt(ticksCrossed) + EMPTY_WORD * BigInt(emptyWords);
}

/** The most that a swap of `gas` by the model needs where nothing of the pool was ever written. */
export function mostEkuboGas(gas: bigint, isFurther: boolean): bigint {
  const ticks = (gas - SWAP + (isFurther ? SAVED_AGAIN : 0n)) / TICK;
  return gas + FIRST_USE + FIRST_CROSSING * ticks;
}
