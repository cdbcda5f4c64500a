import type { Address } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { Network } from "../../domain/network.ts";

/** The chain that is served, and what a wallet needs to begin. */
export interface ServedChain {
  readonly network: Network;
  /** The newest block that is quoted from, or why there is none. */
  readonly now: { readonly block: BlockRef; readonly gasPrice: bigint } | { readonly unavailable: string };
  readonly contracts: { readonly gateway: Address; readonly permit2: Address; readonly orderSettlement: Address };
  /** Whether the contracts stand on the chain; undefined while nobody has looked. */
  readonly deployed: boolean | undefined;
  readonly limits: {
    readonly maxHops: number;
    readonly maxFills: number;
    readonly maxPageSize: number;
    readonly maxAddresses: number;
    readonly quoteTtlSeconds: number;
  };
  readonly version: string;
}
