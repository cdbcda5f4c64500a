/** Tricrypto pools before NG: those of May 2021, and those since July 2021. */
export type TricryptoGeneration = "first" | "second";

/** A Curve crypto pool: two or three tokens of unlike value around an internal price. */
export interface CryptoswapState {
  /** Base units, in the pool's own order. */
  readonly balances: readonly bigint[];
  /** Factors from each token's base units to 18 decimals. */
  readonly precisions: readonly bigint[];
  /** The internal price of each token but the first, in the first, 18 decimals. */
  readonly priceScale: readonly bigint[];
  /** Absent: twocrypto-NG or tricrypto-NG. */
  readonly generation?: TricryptoGeneration;
  /**
   * Amplification, times N^N and 10,000 (100 in the first generation), and gamma (18 decimals) on their way from one value to
   * another, and when.
   */
  readonly initialA: bigint;
  readonly futureA: bigint;
  readonly initialGamma: bigint;
  readonly futureGamma: bigint;
  readonly initialTime: bigint;
  readonly futureTime: bigint;
  /** The invariant as the pool stores it. */
  readonly d: bigint;
  /** Fees near and far from balance in parts of 10^10 of what goes out, and how fast one becomes the other (18 decimals). */
  readonly midFee: bigint;
  readonly outFee: bigint;
  readonly feeGamma: bigint;
  /** Value of a share and number of shares: an exchange that does not raise the value is refused. */
  readonly virtualPrice: bigint;
  readonly supply: bigint;
  /**
   * Traded since its state was read. An exchange may move the internal price by averages that the contract does not show,
   * so that nothing can be said of a second one before the next block is read.
   */
  readonly traded?: true;
}
