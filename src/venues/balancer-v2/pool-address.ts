import type { Address } from "../../domain/address.ts";
import { frontOf } from "../../domain/route.ts";

/** A pool's contract: its id in the vault begins with the address. */
export function poolAddressOf(id: string): Address {
  return frontOf(id) as Address;
}
