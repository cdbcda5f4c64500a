import type { Tick } from "../concentrated/state.ts";

/** A pool in Ekubo's Core: liquidity between ticks, at any or all between the same two. */
export interface EkuboState {
  /** Square root price of token 0 in token 1, 128 fractional bits. */
  readonly sqrtRatio: bigint;
  /** The pool's current tick as Core stores it: below the tick of a boundary that a sale of token 0 ended at. */
  readonly tick: number;
  /** Active liquidity. */
  readonly liquidity: bigint;
  /** Extension, fee and kind of the pool, as its key has them: a word of 256 bits. */
  readonly config: bigint;
  /** All initialized ticks, ascending. */
  readonly ticks: readonly Tick[];
}
