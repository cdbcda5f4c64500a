/** Side of its targets that a pool is on: the base token's price is above `i` above one, below it below one. */
export type RState = "ONE" | "ABOVE_ONE" | "BELOW_ONE";

/**
 * A pool of DODO V2 at one block. Token 0 is the base token, token 1 the quote token; targets are those that the contract itself
 * works out for its next trade.
 */
export interface DodoState {
  /** A vending machine (DVM) has a target of the base token alone, and is above one always. Others have "targets". */
  readonly kind: "DVM" | "targets";
  /** Price of the base token in the quote token: quote units for 10^18 base units. */
  readonly i: bigint;
  /** Part of 10^18 by which the reserves move the price. */
  readonly k: bigint;
  readonly reserves: readonly [bigint, bigint];
  readonly targets: readonly [bigint, bigint];
  readonly r: RState;
  /** Fee of the liquidity providers in parts of 10^18 of what is bought, which stays in the pool. */
  readonly lpFee: bigint;
  /** Fee of the maintainer likewise, which leaves it. */
  readonly maintainerFee: bigint;
}
