import type { Address, Hex } from "../../domain/address.ts";

/**
 * A strategy that a maker has shipped to 1inch's Aqua for its router, of two tokens in the order of their addresses, at one
 * block. The program says how it trades; what it pays stays in the maker's wallet until then.
 */
export interface AquaState {
  readonly maker: Address;
  /** Traits of the maker's order, as the router takes them. */
  readonly traits: bigint;
  /** Data of the maker's order, which is its program. */
  readonly program: Hex;
  /** Balances that Aqua counts, and that the program trades on. */
  readonly balances: readonly [bigint, bigint];
  /** Balances of the maker's wallet. */
  readonly wallets: readonly [bigint, bigint];
  /** Allowances that the maker has given to Aqua. */
  readonly allowances: readonly [bigint, bigint];
}
