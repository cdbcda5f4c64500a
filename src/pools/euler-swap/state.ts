/** Code of a pool's contract: both follow the same curve and round it differently. */
export type EulerSwapVersion = "v1" | "v2";

/** A pool of EulerSwap at one block; pairs are in token order. */
export interface EulerSwapState {
  readonly version: EulerSwapVersion;
  /** Virtual reserves: the point of the curve that the pool is at. */
  readonly reserves: readonly [bigint, bigint];
  /** Reserves at which the price is that of `prices`. */
  readonly equilibrium: readonly [bigint, bigint];
  /** At the equilibrium, `prices[0]` units of token 1 are worth `prices[1]` units of token 0. */
  readonly prices: readonly [bigint, bigint];
  /** Parts of 10^18: 10^18 keeps the price while the token's reserve is below its equilibrium, 0 moves it as x * y = k does. */
  readonly concentrations: readonly [bigint, bigint];
  /** Fee in parts of 10^18 of what is sold, by the token sold. */
  readonly fees: readonly [bigint, bigint];
  /** The most of each token that the vaults take in, with a margin. */
  readonly maxIn: readonly [bigint, bigint];
  /** The most of each token that the pool and the vaults pay out, with a margin. */
  readonly maxOut: readonly [bigint, bigint];
}
