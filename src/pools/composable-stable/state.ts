/**
 * A Balancer pool of several tokens of like value around an amplified invariant, whose own share is one of its tokens or, as
 * in a MetaStable pool, none of them.
 * Lists are in the order in which the vault has registered the tokens, the share among them.
 */
export interface ComposableStableState {
  /** Balances that the vault holds for the pool, base units; for the share, the part that nobody owns. */
  readonly balances: readonly bigint[];
  /** Index of the share; the number of tokens if it is not among them. */
  readonly share: number;
  /** Factors from base units to 18 decimals, by token. */
  readonly scales: readonly bigint[];
  /** Value of each token as the pool remembers it, 18 decimals. */
  readonly rates: readonly bigint[];
  /** The last second at which the remembered value counts; 2^256 - 1 where nobody is asked for another. */
  readonly expiries: readonly bigint[];
  /** Seconds for which a new value counts. */
  readonly durations: readonly bigint[];
  /** Rates that a refresh would set; zero if they cannot be read. */
  readonly freshRates: readonly bigint[];
  /** Values at the last join or exit: what has grown since is owed a fee. */
  readonly oldRates: readonly bigint[];
  /** Tokens whose growth in value is owed no fee. */
  readonly exempt: readonly boolean[];
  /** Amplification on its way from one value to another, in thousandths, and when. Unix seconds. */
  readonly initialA: bigint;
  readonly futureA: bigint;
  readonly initialATime: bigint;
  readonly futureATime: bigint;
  /** Part of what goes in, 18 decimals. */
  readonly swapFee: bigint;
  /** MetaStable pools round their invariant up. */
  readonly roundsUp?: true;
  /** Shares that there are, those that nobody has among them. */
  readonly totalSupply: bigint;
  /** Amplification and invariant at the last join or exit. */
  readonly lastA: bigint;
  readonly lastInvariant: bigint;
  /** The protocol's parts of fees and of the growth in value, 18 decimals. */
  readonly protocolSwapFee: bigint;
  readonly protocolYieldFee: bigint;
  /** Whether the pool or its vault lets nobody swap. */
  readonly paused: boolean;
}
