import type { Address } from "../../domain/address.ts";

/** A pool's contract: its id in the vault begins with the address. */
export function poolAddressOf(id: string): Address {
  return id.slice(0, 42) as Address;
}
