/**
 * Gas of a swap in one tick, its payment included: test/settlement/venues/paid/maverick-pools.test.ts. By itself it takes
 * 54,428 with the makers' code, and 54,520 with the devnet's.
 */
const SWAP = 67_000n;
/** Each further tick with reserves, which are read and written: 11,500 with the makers' code. */
const TICK = 11_500n;
/** Each tick without reserves on the way: 2,560 with the makers' code. */
const EMPTY_TICK = 2_600n;
/** The search for bins that move, in a pool that may have some, after a swap that leaves a tick: 6,630 with the makers' code. */
const SEARCH = 6_700n;
/** The most that moves take: three bins of two kinds become one each, and go to another tick. */
const MOVES = 250_000n;
/** Part of a hundred by which an exact output takes more: the swap is tried before it is paid, and warms what the second one reads. */
const TRIED_PART = 90n;
/** The most that a first swap takes beyond that: reserves and a protocol's fee that were never there. */
const FIRST_USE = 40_000n;
/** Likewise in each tick, which holds only one token before it is first met. */
const FIRST_IN_TICK = 17_100n;
/** Gas that a further swap with a pool saves within one transaction. */
export const SAVED_AGAIN = 22_000n;

/** Ticks that a swap comes to, with reserves and without, and whether its pool may have bins that move. */
export interface GasTerms {
  readonly ticks: number;
  readonly emptyTicks: number;
  readonly exactOut: boolean;
  readonly movable: boolean;
}

export function maverickGas({ ticks, emptyTicks, exactOut, movable }: GasTerms): bigint {
  const further = BigInt(Math.max(0, ticks - 1));
  const empty = BigInt(emptyTicks);
  const search = movable && further + empty > 0n ? SEARCH : 0n;
  const once = SWAP + TICK * further + EMPTY_TICK * empty + search;
  return exactOut ? triedFirst(once) : once;
}

/** Gas of a swap of an exact output, for that of one of an exact input over as many ticks. */
export function triedFirst(gas: bigint): bigint {
  return gas + (gas * TRIED_PART) / 100n;
}

/** The most that a swap of `gas` by the model needs where nothing of the pool was ever written. */
export function mostMaverickGas(gas: bigint, movable: boolean): bigint {
  const ticks = gas > SWAP ? (gas - SWAP) / TICK : 0n;
  return gas + FIRST_USE + FIRST_IN_TICK * (ticks + 1n) + (movable ? MOVES : 0n);
}
