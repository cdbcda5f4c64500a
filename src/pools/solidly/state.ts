/** A pool of Solidly's kinds (Velodrome V2, Aerodrome): its fee leaves the pool with every swap. */
export interface SolidlyState {
  /** x³y + xy³ = k for tokens of like value; otherwise xy = k. */
  readonly stable: boolean;
  /** Reserves as the pool stores them, in token order, fees not among them. */
  readonly reserves: readonly [bigint, bigint];
  /** Ten to the power of each token's decimals. */
  readonly units: readonly [bigint, bigint];
  /** Fee in parts of 10,000 of the amount in. */
  readonly feeBps: bigint;
  /** The factory lets nobody swap. */
  readonly paused: boolean;
  /** When the pool wrote down its price last, unix seconds. Absent where it does not say. */
  readonly lastObservation?: bigint;
}
