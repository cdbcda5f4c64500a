import type { Address } from "../../src/domain/address.ts";
import type { Pool } from "../../src/pools/pool.ts";

export function tokenAt(index: number): Address {
  return `0x${(index + 1).toString(16).padStart(40, "0")}` as Address;
}

/** A constant-product pair without fee, of the source "Test". */
export function pair(id: string, first: Address, second: Address, reserve0: bigint, reserve1: bigint): Pool {
  return {
    id,
    source: "Test",
    tokens: [first, second],
    curve: "constant-product",
    state: { reserves: [reserve0, reserve1], feeNum: 0n, feeDen: 1_000n },
  };
}
