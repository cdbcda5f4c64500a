import type { Rejection } from "../pool-math.ts";
import { NO_LIQUIDITY, PAUSED } from "../rejections.ts";
import { isInBounds } from "./bounds.ts";
import { amplificationAt, invariantOf, scaledBalances } from "./invariant.ts";
import type { StableswapState } from "./state.ts";

/** State of a pool at one time. */
export interface StableswapAt {
  readonly state: StableswapState;
  /** Balances in 18 decimals of the common value. */
  readonly scaled: readonly bigint[];
  readonly amplification: bigint;
  /** The invariant. */
  readonly d: bigint;
}

/** The pool at `time`, or why it serves nobody then. */
export function stateAt(state: StableswapState, time: bigint): StableswapAt | Rejection {
  if (state.killed) return PAUSED;
  const scaled = scaledBalances(state);
  if (!isInBounds(scaled)) return NO_LIQUIDITY;
  const amplification = amplificationAt(state, time);
  const d = amplification > 0n ? invariantOf(scaled, amplification, state) : undefined;
  return d === undefined ? NO_LIQUIDITY : { state, scaled, amplification, d };
}
