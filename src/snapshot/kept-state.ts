import { create } from "@bufbuild/protobuf";
import { sizeDelimitedDecodeStream, sizeDelimitedEncode } from "@bufbuild/protobuf/wire";
import {
  type KeptHead as HeadMessage,
  KeptEntrySchema,
  type KeptPool as PoolMessage,
} from "#gen/snapshot/v1/kept_pb.ts";
import type { Address, Hex } from "../domain/address.ts";
import type { BlockRef } from "../domain/block.ts";
import type { SourceId } from "../domain/source.ts";
import type { UnservedReason } from "../market/eligibility.ts";
import type { DeepSince } from "../market/hop-tokens.ts";
import type { PoolRef } from "../market/liquidity-source.ts";
import type { CatalogMark } from "../market/pool-catalog.ts";
import type { Snapshot } from "../market/snapshot.ts";
import type { Pool } from "../pools/pool.ts";
import { readPool, writePool } from "./states.ts";

/** A pool as a restart finds it: how it was announced, and its state where that is known for the block. */
export interface KeptPool {
  readonly source: SourceId;
  readonly ref: PoolRef;
  readonly pool: Pool | undefined;
  /** It is not followed until somebody asks for one of its tokens. */
  readonly asleep?: true;
  /** Its state at the tip of the kept state, where there is none for its block. */
  readonly atTip?: Pool | undefined;
}

/** All pools that were announced up to a block, with the states that they had there. */
export interface KeptState {
  readonly block: BlockRef;
  readonly pools: readonly KeptPool[];
  /** A block above `block` that was the newest then, and may be gone: pools that were read between the two have its states. */
  readonly tip?: BlockRef | undefined;
  /**
   * Sources whose announcements were searched. Pools of other sources are known in another way; the search of such a
   * source begins at its first block.
   */
  readonly sources: readonly SourceId[];
  /** Since when tokens that are not listed have been deep. */
  readonly deepSince?: DeepSince | undefined;
  /** Blocks up to `block` whose announcements of some sources are not among them yet, first and last. */
  readonly searches?: readonly KeptSearch[] | undefined;
  /** Counts of announced pools that are not served, by source and reason. */
  readonly refused?:
    | readonly { readonly source: SourceId; readonly reason: UnservedReason; readonly pools: number }[]
    | undefined;
  /** The block as this process has shown it: routes and moves of prices that are known there. No file has it. */
  readonly shown?: Snapshot | undefined;
  /** The catalog that has the pools that sleep and are not among `pools`; undefined where there are none. */
  readonly catalog?: CatalogMark | undefined;
}

/** Blocks that are still to be searched for pools of some sources. */
export interface KeptSearch {
  readonly sources: readonly SourceId[];
  readonly next: bigint;
  readonly to: bigint;
}

/** Identity that a kept state must match: its chain, and the terms of each source. */
export interface StateIdentity {
  readonly chainId: number;
  /** Changes when what the pools of a source are read by does. */
  terms(source: SourceId): string;
}

/** The head of a kept state, with the number of its pools. */
export interface KeptHead extends Omit<KeptState, "pools"> {
  readonly chainId: number;
  /** The terms as they were then of each source that anything of the state is of. */
  readonly terms: ReadonlyMap<SourceId, string>;
  readonly poolCount: number;
}

/** The head as bytes, before those of the pools. @throws RangeError for a number below zero */
export function encodeHead(identity: StateIdentity, state: KeptState): Uint8Array {
  const { block, searches = [], deepSince = [], sources, pools, refused = [], catalog, tip } = state;
  const value = {
    ...{ chainId: identity.chainId, block, sources: [...sources], poolCount: pools.length },
    terms: Object.fromEntries([...sourcesOf(state)].map((source) => [source, identity.terms(source)])),
    searches: searches.map((search) => ({ ...search, sources: [...search.sources] })),
    deepSince: deepSince.map(([token, since]) => ({ token, since })),
    refused: [...refused],
    ...(catalog && { catalog: { id: catalog.id, entries: BigInt(catalog.entries) } }),
    ...(tip && { tip }),
  };
  return sizeDelimitedEncode(KeptEntrySchema, create(KeptEntrySchema, { entry: { case: "head", value } }));
}

/** All sources that anything of a state is of: those of its pools need not have been searched. */
function sourcesOf({ sources, pools, searches = [], refused = [] }: KeptState): ReadonlySet<SourceId> {
  const named = new Set([...sources, ...searches.flatMap((search) => search.sources)]);
  for (const { source } of refused) named.add(source);
  for (const { source } of pools) named.add(source);
  return named;
}

/** A pool as bytes. @throws RangeError for what a maker said */
export function encodePool({ source, ref, pool, asleep, atTip }: KeptPool): Uint8Array {
  const { id, address, tokens, terms } = ref;
  const value = {
    ...{ source, id, address, tokens: [...tokens], terms },
    controllers: [...((pool ?? atTip)?.controllers ?? [])],
    ...(pool && { pool: writePool(pool) }),
    ...(atTip && { atTip: writePool(atTip) }),
    asleep: asleep === true,
  };
  return sizeDelimitedEncode(KeptEntrySchema, create(KeptEntrySchema, { entry: { case: "pool", value } }));
}

/**
 * Reads back what was encoded, one after the other. Whoever gives the bytes vouches for them, at the latest when the last is
 * read: they are those that were written.
 * @throws Error for bytes that are no such state
 */
export async function* decodeState(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ readonly head: KeptHead } | { readonly pool: KeptPool }> {
  for await (const { entry } of sizeDelimitedDecodeStream(KeptEntrySchema, bytes)) {
    if (entry.case === "head") yield { head: headOf(entry.value) };
    else if (entry.case === "pool") yield { pool: keptPoolOf(entry.value) };
    else throw new RangeError("an entry of no known kind");
  }
}

function headOf(message: HeadMessage): KeptHead {
  const { chainId, terms, block, searches, deepSince, sources, poolCount, refused, catalog, tip } = message;
  if (block === undefined) throw new RangeError("block: missing");
  return {
    ...{ chainId, terms: new Map(Object.entries(terms)), sources, poolCount },
    block: blockOf(block),
    ...(tip && { tip: blockOf(tip) }),
    ...(deepSince.length > 0 && { deepSince: deepSince.map(({ token, since }) => [token as Address, since] as const) }),
    ...(searches.length > 0 && { searches: searches.map(({ sources: of, next, to }) => ({ sources: of, next, to })) }),
    ...(refused.length > 0 && { refused: refused.map(refusedOf) }),
    ...(catalog && { catalog: { id: catalog.id, entries: Number(catalog.entries) } }),
  };
}

function blockOf({ number, hash, parentHash, timestamp }: NonNullable<HeadMessage["block"]>): BlockRef {
  return { number, hash: hash as Hex, parentHash: parentHash as Hex, timestamp };
}

function refusedOf({ source, reason, pools }: HeadMessage["refused"][number]) {
  return { source, reason: reason as UnservedReason, pools };
}

/** A kept pool from its message. @throws RangeError for a state of no known kind */
export function keptPoolOf(message: PoolMessage): KeptPool {
  const { source, id, address, tokens, terms, pool, controllers, asleep, atTip } = message;
  const ref = { id, address: address as Address, tokens: tokens as Address[], terms: { ...terms } };
  const controlled = controllers.length > 0 && { controllers: controllers as Address[] };
  return {
    ...{ source, ref, pool: pool && ({ ...readPool(pool), ...controlled } as Pool) },
    ...(atTip && { atTip: { ...readPool(atTip), ...controlled } as Pool }),
    ...(asleep && { asleep }),
  };
}
