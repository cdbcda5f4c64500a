import type { Rejection } from "../pool-math.ts";
import { amplificationAt, invariantOf, scaledBalances } from "./invariant.ts";
import type { StableswapState } from "./state.ts";

/** What a pool is at one time. */
export interface Moment {
  /** Balances in 18 decimals of the common value. */
  readonly scaled: readonly bigint[];
  readonly amplification: bigint;
  /** The invariant. */
  readonly d: bigint;
}

/** Scaled balances together: with more, products come near what the contract can hold. */
const MOST_TOGETHER = 1n << 104n;
/** Scaled: a pool that holds less of one of its tokens has too few digits left to be counted on. */
const LEAST_OF_EACH = 10n ** 12n;
/** How many times one token's balance all balances together may be. */
const MOST_APART = 10_000n;

/** The pool at `time`, or why it serves nobody then. */
export function momentOf(state: StableswapState, time: bigint): Moment | Rejection {
  if (state.killed) return { rejected: "PAUSED" };
  const scaled = scaledBalances(state);
  const sum = scaled.reduce((a, b) => a + b, 0n);
  const least = scaled.reduce((a, b) => (a < b ? a : b));
  if (least < LEAST_OF_EACH || sum > MOST_TOGETHER || sum > MOST_APART * least) return { rejected: "NO_LIQUIDITY" };
  const amplification = amplificationAt(state, time);
  const d = amplification > 0n ? invariantOf(scaled, amplification, state) : undefined;
  return d === undefined ? { rejected: "NO_LIQUIDITY" } : { scaled, amplification, d };
}
