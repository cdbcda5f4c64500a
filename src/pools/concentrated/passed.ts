import type { ConcentratedState } from "./state.ts";

/** Position of a swap, and its amounts so far. */
export interface SwapState {
  readonly sqrtPriceX96: bigint;
  readonly tick: number;
  readonly liquidity: bigint;
  /** Position in the state's ticks of the next initialized one ahead. */
  readonly ahead: number;
  /** Amount in, fee included, and amount out. */
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  readonly ticksCrossed: number;
  /** Looks into the bitmap: one for each step of the contract's loop. */
  readonly wordsRead: number;
}

/** Steps between two places that are remembered, at the least: some kilobytes for a state, and only where swaps get far. */
const STEPS_APART = 32;

/**
 * The places that swaps of a state have come to by whole steps, in order, for token 0 and for token 1 going in. Whole steps
 * are the same for every amount that is not used up by their end, sold or bought: they follow from the state alone, and no
 * answer depends on whether they are known. A swap begins at the last one before its own end.
 */
const passed: readonly [WeakMap<ConcentratedState, SwapState[]>, WeakMap<ConcentratedState, SwapState[]>] = [
  new WeakMap(),
  new WeakMap(),
];

/** The last known place that a swap of this amount passes on its way, with some of it left; undefined when none is known. */
export function lastPassed(
  state: ConcentratedState,
  zeroForOne: boolean,
  exactIn: boolean,
  amount: bigint,
): SwapState | undefined {
  return passed[zeroForOne ? 0 : 1]
    .get(state)
    ?.findLast(({ amountIn, amountOut }) => (exactIn ? amountIn : amountOut) < amount);
}

/** Takes note of a place that a swap of the state has come to by whole steps, where it is far enough from those known. */
export function notePassed(state: ConcentratedState, zeroForOne: boolean, place: SwapState): void {
  const of = passed[zeroForOne ? 0 : 1];
  const places = of.get(state) ?? [];
  if (place.wordsRead < STEPS_APART + (places.at(-1)?.wordsRead ?? 0)) return;
  places.push(place);
  of.set(state, places);
}
