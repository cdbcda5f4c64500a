/** Balancer V3's buffer of an ERC-4626 vault; the vault's asset is token 0, its share token 1. */
export interface BalancerV3BufferState {
  /** Assets of the ERC-4626 vault; one of the two totals that make its rate. */
  readonly totalAssets: bigint;
  readonly totalSupply: bigint;
  /** Ten to the power of the vault's decimals offset: shares that nobody has, against inflated rates. */
  readonly virtualShares: bigint;
  /** The most that the ERC-4626 vault takes of Balancer's in one deposit, base units of the asset. */
  readonly maxDeposit: bigint;
  /** The most shares that it takes back from Balancer's; 2^256 - 1 where that is all that Balancer's has. */
  readonly maxRedeem: bigint;
  /** Assets that the buffer holds, base units. */
  readonly assets: bigint;
  /** Shares that the buffer holds, base units. */
  readonly shares: bigint;
  /** The least that goes in and the least that comes out, base units of either token. */
  readonly minWrap: bigint;
  readonly paused: boolean;
}
