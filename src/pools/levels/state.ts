/** One step of a maker's ladder: all of `takerAmount` brings `makerAmount`, a part of it that part, rounded down. */
export interface Level {
  /** Amount that the maker takes at this level, base units of the sold token; above zero. */
  readonly takerAmount: bigint;
  /** Amount that the maker gives for all of it, base units of the bought token; above zero. */
  readonly makerAmount: bigint;
}

/**
 * Levels at which a maker trades two tokens, either way. The best level stands first, and no later one pays more per
 * sold unit than an earlier one; the two sides do not cross. Sums of amounts stay below 2^128.
 */
export interface LevelsState {
  /** The levels that token 0 is sold at. */
  readonly bids: readonly Level[];
  /** The levels that token 1 is sold at. */
  readonly asks: readonly Level[];
  /** "elsewhere": the maker's orders are filled by a contract of its own, which takes more gas. Absent: by OrderSettlement. */
  readonly settles?: "elsewhere";
}
