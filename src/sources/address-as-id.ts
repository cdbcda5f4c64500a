import type { Address } from "../domain/address.ts";
import type { PoolRef } from "../market/liquidity-source.ts";

/** A pool that is a contract of its own: its address is its id. */
export function refAt(address: Address, tokens: readonly Address[], terms: PoolRef["terms"] = {}): PoolRef {
  return { id: address, address, tokens, terms };
}

/** The address of a pool that has it as its id. */
export function addressOf({ id }: { readonly id: string }): Address {
  return id as Address;
}
