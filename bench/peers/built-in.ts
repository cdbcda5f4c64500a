import type { Address } from "../../src/domain/address.ts";

/** Tokens that peers' own lists know by name. */
export interface Hubs {
  readonly native: Address;
  readonly usdc: Address;
  readonly usdt: Address;
  readonly dai: Address;
  readonly btc: Address;
  readonly eth?: Address;
}

/** The fee of constant-product pools that a peer has built in. */
export interface BuiltInFee {
  readonly feeNum: bigint;
  readonly feeDen: bigint;
}
