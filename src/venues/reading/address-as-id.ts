import type { Address } from "../../domain/address.ts";
import type { PoolRef } from "../../market/liquidity-source.ts";
import type { Pool } from "../../pools/pool.ts";

/** A pool that is a contract of its own: its address is its id. */
export function refAt(address: Address, tokens: readonly Address[], terms: PoolRef["terms"] = {}): PoolRef {
  return { id: address, address, tokens, terms };
}

/** The address of a pool that has it as its id. */
export function addressOf({ id }: Pool): Address {
  return id as Address;
}
