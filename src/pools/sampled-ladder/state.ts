import type { Level } from "../levels/state.ts";

/**
 * Quotes of a contract without public maths for some amounts, either way, as levels between these: no level pays more per
 * sold unit than one before it, and none more than was quoted. Sums of amounts stay below 2^128.
 */
export interface SampledLadderState {
  /** The levels that token 0 is sold at; none where it cannot be. */
  readonly bids: readonly Level[];
  /** The levels that token 1 is sold at; none where it cannot be. */
  readonly asks: readonly Level[];
  /** Gas of one swap. */
  readonly swapGas: bigint;
}
