import { toAddress } from "../../../src/domain/address.ts";
import { type OnchainPool, type OnchainRecord, onchainVectorsOf } from "./onchain-vectors.ts";

/** Fixed terms of a metapool, and its state at a block. */
interface RawMetapool {
  readonly address: string;
  readonly tokens: readonly { readonly address: string; readonly symbol: string }[];
  readonly fee: number;
  readonly admin_fee?: number;
  readonly balances: readonly string[];
  readonly initial_a: number;
  readonly future_a: number;
  readonly block_timestamp: number;
  /** Price of the pool's own coin; 10^18 is one. */
  readonly redemption_price: string;
  /** Price of the base pool's share, as the metapool caches it for ten minutes. */
  readonly base_virtual_price: string;
  /** As the base pool says, where the metapool's memory is over. */
  readonly base_virtual_price_own?: string;
}

interface ByBlock {
  readonly immutable: object;
  readonly states: Readonly<Record<string, object>>;
}

/** The records of Curve's metapools, one for each block. */
export function onchainMetapools(): readonly OnchainRecord[] {
  return onchainVectorsOf("curve-meta").flatMap((record): readonly OnchainRecord[] => {
    const { immutable, states } = record.pool as Partial<ByBlock>;
    if (states === undefined) return [record];
    return Object.entries(states).map(([block, state]) => ({
      ...record,
      pool: { ...immutable, ...state },
      swaps: record.swaps.filter((swap) => swap.block === Number(block)),
    }));
  });
}

/** A metapool by its own two coins, the base pool's share among them. */
export function metapoolOf({ pool }: OnchainRecord): OnchainPool {
  const raw = pool as RawMetapool;
  return {
    names: raw.tokens.map(({ symbol }) => symbol),
    time: BigInt(raw.block_timestamp),
    pool: {
      id: toAddress(raw.address),
      source: "Curve",
      tokens: raw.tokens.map(({ address }) => toAddress(address)),
      curve: "stableswap",
      state: {
        balances: raw.balances.map(BigInt),
        rates: [BigInt(raw.redemption_price), BigInt(raw.base_virtual_price_own ?? raw.base_virtual_price)],
        initialA: BigInt(raw.initial_a),
        futureA: BigInt(raw.future_a),
        initialATime: 0n,
        futureATime: 0n,
        aPrecision: 100n,
        fee: BigInt(raw.fee),
        // No part of what a swap pays.
        adminFee: BigInt(raw.admin_fee ?? 0),
        generation: "old",
        killed: false,
      },
    },
  };
}
