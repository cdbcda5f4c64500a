/** A Balancer pool whose tokens make up fixed parts of its value. */
export interface WeightedState {
  /** What the vault holds for the pool of each token; base units. */
  readonly balances: readonly bigint[];
  /** Parts of the pool's value, 18 decimals, together one. */
  readonly weights: readonly bigint[];
  /** What multiplies base units so that all tokens have 18 decimals. */
  readonly scales: readonly bigint[];
  /** Part of what goes in, 18 decimals. */
  readonly swapFee: bigint;
  /** Pools of the first version find every power by its logarithm; later ones multiply squares out. */
  readonly firstVersion?: true;
  /** Whether the pool or its vault lets nobody swap. */
  readonly paused: boolean;
}
