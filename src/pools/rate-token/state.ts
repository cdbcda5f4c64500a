/** A token that stands for another at a rate (Lido's wstETH); the other is token 0, itself token 1. */
export interface RateTokenState {
  /** The rate: so much of the other token ... */
  readonly pooled: bigint;
  /** ... for so many of this. */
  readonly shares: bigint;
  /** How many of this token there are. */
  readonly supply: bigint;
  /** What the contract holds of the other. */
  readonly held: bigint;
}
