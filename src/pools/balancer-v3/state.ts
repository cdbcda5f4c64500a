/**
 * A pool in Balancer V3's vault, weighted or stable, without hooks. Lists are in the vault's order of tokens.
 */
export interface BalancerV3State {
  readonly kind: "weighted" | "stable";
  /** Raw balances as a swap finds them: fees on the growth of rates are off; base units. */
  readonly balances: readonly bigint[];
  /** Factors from base units to 18 decimals, by token. */
  readonly scales: readonly bigint[];
  /** Value of each token, 18 decimals. */
  readonly rates: readonly bigint[];
  /** Part of what goes in, 18 decimals. */
  readonly swapFee: bigint;
  /** Part of the fee that leaves the pool, 18 decimals. */
  readonly aggregateFee: bigint;
  /** The least that a swap may move, 18 decimals of the common value. */
  readonly minTrade: bigint;
  /** Weighted: parts of the pool's value, and the least balances, 18 decimals of the common value; zeros otherwise. */
  readonly weights: readonly bigint[];
  readonly minBalances: readonly bigint[];
  /** Weighted, of December 2024: the sold token's balance counts as it is, not one higher. */
  readonly firstVersion?: true;
  /** Stable: amplification on its way from one value to another, in thousandths, and when. Unix seconds. */
  readonly initialA: bigint;
  readonly futureA: bigint;
  readonly initialATime: bigint;
  readonly futureATime: bigint;
  /** Whether the pool or the vault lets nobody swap. */
  readonly paused: boolean;
}
