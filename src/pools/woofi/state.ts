/** A base token of a pool, with what the oracle says of it. */
export interface WooBase {
  /** Base units of a whole token. */
  readonly unit: bigint;
  /** Oracle's price in `priceUnit`, as far as the pool may trade at it; zero where it may not. */
  readonly price: bigint;
  /** Spread in parts of 10^18. */
  readonly spread: bigint;
  /** Part of the price, in 10^18, by which a whole quote token's worth moves it. */
  readonly coeff: bigint;
  /** Fee in parts of 10^5. */
  readonly feeRate: bigint;
  /** The most that a trade may move the price, in parts of 10^18. */
  readonly maxGamma: bigint;
  /** The most that a trade may be worth, in base units of the quote token. */
  readonly maxNotional: bigint;
  /** The last second in which the price is good; absent where it does not turn stale by time. */
  readonly goodUntil?: bigint;
}

/**
 * A pool of WOOFi at one block: several base tokens against one quote token, at an oracle's prices. Token 0 is the quote
 * token; the bases follow in the order of the others.
 */
export interface WooState {
  readonly quoteUnit: bigint;
  /** Base units of a price of one. */
  readonly priceUnit: bigint;
  /** Counted reserves in token order. */
  readonly reserves: readonly bigint[];
  readonly bases: readonly WooBase[];
  /**
   * Spreads of two base tokens that are traded for each other: "halved" for half of the larger one each, "own" in another version.
   * While nothing tells the version, they are "unknown", and such trades are not made.
   */
  readonly spreads: "halved" | "own" | "unknown";
}
