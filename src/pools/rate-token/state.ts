/** A token that stands for another at a rate (Lido's wstETH); the other is token 0, itself token 1. */
export interface RateTokenState {
  /** The rate: so much of the other token ... */
  readonly pooled: bigint;
  /** ... for so many of this. */
  readonly shares: bigint;
  /** Total supply of this token. */
  readonly supply: bigint;
  /** Balance of the other token in the contract. */
  readonly held: bigint;
  /**
   * The other token keeps balances as shares, rounded, so that nobody can tell before what a transfer brings: it is sold, since
   * the contract counts the amount that it is told, and not bought. Absent: it is a plain token.
   */
  readonly keepsShares?: true;
}
