/** A Balancer pool whose tokens make up fixed parts of its value. */
export interface WeightedState {
  /** Balances that the vault holds for the pool, by token; base units. */
  readonly balances: readonly bigint[];
  /** Parts of the pool's value, 18 decimals, together one. */
  readonly weights: readonly bigint[];
  /** Factors from base units to 18 decimals, by token. */
  readonly scales: readonly bigint[];
  /** Part of what goes in, 18 decimals. */
  readonly swapFee: bigint;
  /** Pools of the first version find every power by its logarithm; later ones multiply squares out. */
  readonly firstVersion?: true;
  /** Whether the pool or its vault lets nobody swap. */
  readonly paused: boolean;
}
