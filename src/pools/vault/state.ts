/** An ERC-4626 vault as OpenZeppelin writes it; the asset is token 0, the vault's share token 1. */
export interface VaultState {
  readonly totalAssets: bigint;
  readonly totalSupply: bigint;
  /** Ten to the power of the vault's decimals offset: shares that nobody has, against inflated rates. */
  readonly virtualShares: bigint;
  /** The most that the vault takes in one deposit, base units of the asset. */
  readonly maxDeposit: bigint;
}
