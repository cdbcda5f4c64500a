/** Gyroscope's concentrated pools: between two prices, above one price for three tokens, on an ellipse. */
export type GyroKind = "2clp" | "3clp" | "eclp";

/** A pool of Gyroscope in Balancer V2's vault. Lists are in the vault's order of tokens. */
export interface GyroState {
  readonly kind: GyroKind;
  /** Balances that the vault holds for the pool; base units. */
  readonly balances: readonly bigint[];
  /** Factors from base units to 18 decimals, by token. */
  readonly scales: readonly bigint[];
  /** Value of each token, 18 decimals; one for a token without a rate provider. */
  readonly rates: readonly bigint[];
  /** Whether each swap asks a rate provider for a token's value. */
  readonly rated: readonly boolean[];
  /**
   * Fixed terms of the pool. 2-CLP: square roots of the lowest and the highest price. 3-CLP: cube root of the lowest price. 18
   * decimals. E-CLP: see `ellipseOf`.
   */
  readonly parameters: readonly bigint[];
  /** Part of what goes in, 18 decimals. */
  readonly swapFee: bigint;
  /** Whether the pool or its vault lets nobody swap. */
  readonly paused: boolean;
}
