/** One amount for each of a pool's two tokens. */
export type PerToken = readonly [bigint, bigint];

/** Reserves of one of a pool's two sides, in amounts of twelve decimals. */
export interface FluidReserves {
  /** Amount of each token. */
  readonly real: PerToken;
  /** The reserves whose product stays the same: what there is, and what the range of prices adds. */
  readonly imaginary: PerToken;
}

/**
 * A pool of Fluid's DEX T1 as it is at one block. Its collateral, its debt or both are the reserves of a constant product within
 * a range of prices; what time moves (interest, shifts of the range, limits) is read with every block.
 */
export interface FluidState {
  /** Factor of each token from its decimals up to twelve; 1 for tokens of more. */
  readonly up: PerToken;
  /** Divisor of each token from its decimals down to twelve; 1 for tokens of twelve or less. */
  readonly down: PerToken;
  /** Fee in parts of 10^6 of what is sold. */
  readonly fee: bigint;
  /** Parts of a hundred of the fee that go to the protocol and do not enter the reserves. */
  readonly revenueCut: bigint;
  /** Token 1 for one of token 0, 27 decimals: reserves must not be too uneven by it. */
  readonly centerPrice: bigint;
  /** Prices of earlier swaps, as the centre's, from which the price after a swap may be 5 % away. */
  readonly lastPrices: readonly bigint[];
  /** Smart collateral; absent where the pool has none. */
  readonly collateral?: FluidReserves;
  /** Smart debt; absent where the pool has none. */
  readonly debt?: FluidReserves;
  /** The most of each token, in its base units, that collateral may be withdrawn of. */
  readonly withdrawable: PerToken;
  /** The most of each token, in its base units, that may be borrowed. */
  readonly borrowable: PerToken;
  /** The most of each token, in its base units, that is taken as a payment of debt at once: no more than is owed. */
  readonly owed: PerToken;
  /** The most of each token, in its base units, that is taken as collateral at once; absent in older files. */
  readonly depositable?: PerToken;
  /** Supply of each token to the Liquidity layer by all users, base units. */
  readonly supplied: PerToken;
  /** Debt of all users in each token, base units. */
  readonly borrowed: PerToken;
  /** Parts of 10^4 of what is supplied that may be borrowed after any swap that pays the token. */
  readonly mostUtilized: PerToken;
  /** Likewise after a swap that borrows it. */
  readonly mostBorrowed: PerToken;
  /** It was traded: what a second swap in the same transaction pays is not known. */
  readonly spent?: true;
}
