import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import {
  type PoolChange as ChangeMessage,
  type FeedHeadSchema,
  FeedUpdateSchema,
  type FeedHead as HeadMessage,
  type PoolChangeSchema,
  type RouteChangesSchema,
} from "#gen/snapshot/v1/feed_pb.ts";
import type { Address, Hex } from "../domain/address.ts";
import type { PoolId } from "../domain/route.ts";
import type {
  FeedEncoder,
  FeedHead,
  FeedTerms,
  FeedUpdate,
  HopChanges,
  KeptOutChanges,
  PoolChange,
  RouteChanges,
  VolatilityChanges,
} from "../market/feed/feed-state.ts";
import type { Pool } from "../pools/pool.ts";
import { readDataFee, writeDataFee } from "./file.ts";
import { readPairRoutes, writePairRoutes } from "./known-routes.ts";
import { changedFields, readFields, readPool, writeFields, writePool } from "./states.ts";

/** Values of states that one part of an update holds, about: so many are encoded in a millisecond or two. */
const VALUES_PER_PART = 1_000;

type ChangeInit = MessageInitShape<typeof PoolChangeSchema>;
type HeadInit = MessageInitShape<typeof FeedHeadSchema>;

/** Updates of a feed in protobuf's binary form. */
export const feedEncoder: FeedEncoder = { encode };

function* encode({ sequence, from, pools, head }: FeedUpdate): Generator<Uint8Array> {
  const numbers = { sequence: BigInt(sequence), from: BigInt(from) };
  const bytesOf = (part: ChangeInit[], last?: HeadInit) =>
    toBinary(FeedUpdateSchema, create(FeedUpdateSchema, { ...numbers, pools: part, ...(last && { head: last }) }));
  let part: ChangeInit[] = [];
  let values = 0;
  for (const change of pools) {
    const written = writeChange(change);
    if (written === undefined) continue;
    part.push(written);
    values += valuesIn(change.pool);
    if (values < VALUES_PER_PART) continue;
    yield bytesOf(part);
    [part, values] = [[], 0];
  }
  yield bytesOf(part, head && writeHead(head));
}

/**
 * Reads an update, or a part of one. `poolAt`: the pool that a slot has before it.
 * @throws RangeError for bytes that are none
 */
export function decodeUpdate(bytes: Uint8Array, poolAt: (slot: number) => Pool | undefined): FeedUpdate {
  const { sequence, from, pools, head } = fromBinary(FeedUpdateSchema, bytes);
  return {
    ...{ sequence: Number(sequence), from: Number(from) },
    pools: pools.map((change) => readChange(change, poolAt)),
    ...(head && { head: readHead(head) }),
  };
}

function valuesIn(pool: Pool | undefined): number {
  if (pool === undefined) return 1;
  return Object.values(pool.state).reduce((sum: number, value) => sum + (Array.isArray(value) ? value.length : 1), 0);
}

/** Undefined where a pool is another object with the same in it. */
function writeChange({ slot, before, pool }: PoolChange): ChangeInit | undefined {
  if (pool === undefined) return { slot };
  const changed = before && changedFields(before, pool);
  if (changed === undefined) return { slot, pool: writePool(pool), controllers: [...(pool.controllers ?? [])] };
  return changed.length === 0 ? undefined : { slot, pool: writeFields(pool, changed), changed: [...changed] };
}

function readChange(
  { slot, pool, controllers, changed }: ChangeMessage,
  poolAt: (slot: number) => Pool | undefined,
): PoolChange {
  const before = poolAt(slot);
  if (pool === undefined) return { slot, before, pool };
  if (changed.length === 0) {
    const controlled = controllers.length > 0 && { controllers: controllers as Address[] };
    return { slot, before, pool: { ...readPool(pool), ...controlled } as Pool };
  }
  if (before === undefined) throw new RangeError(`slot ${slot}: fields of a pool that is not there`);
  return { slot, before, pool: readFields(before, pool, changed) };
}

function writeHead({ block, gasPrice, mostGas, dataFee, hubs, ...changes }: FeedHead): HeadInit {
  const { hops, keptOut, off, terms, known, volatility } = changes;
  return {
    ...{ block, gasPrice: String(gasPrice), mostGas: String(mostGas), hubs: [...hubs] },
    ...(dataFee && { dataFee: writeDataFee(dataFee) }),
    ...(hops && { hops: { any: hops.any, added: [...hops.added], removed: [...hops.removed] } }),
    ...(keptOut && {
      keptOut: { added: keptOut.added.map(([token, reason]) => ({ token, reason })), removed: [...keptOut.removed] },
    }),
    ...(off && { switchedOff: { sources: [...off.source], pools: [...off.pool], tokens: [...off.token] } }),
    ...(known && { knownRoutes: writeRoutes(known) }),
    ...(volatility && {
      volatility: {
        since: volatility.since,
        changed: [...volatility.changed],
        removed: [...volatility.removed],
        appeared: volatility.appeared.map(([pool, block]) => ({ pool, block })),
        settled: [...volatility.settled],
      },
    }),
    ...(terms && {
      terms: {
        chainId: terms.chainId,
        wrappedNative: terms.wrappedNative,
        referenceTokens: [...(terms.references ?? [])],
      },
    }),
  };
}

function readHead({ block, gasPrice, mostGas, dataFee, hubs, ...changes }: HeadMessage): FeedHead {
  if (block === undefined) throw new RangeError("block: missing");
  const { hops, keptOut, switchedOff, terms, knownRoutes, volatility } = changes;
  const { number, hash, parentHash, timestamp } = block;
  return {
    block: { number, hash: hash as Hex, parentHash: parentHash as Hex, timestamp },
    ...{ gasPrice: BigInt(gasPrice), mostGas: BigInt(mostGas), hubs: hubs as Address[] },
    ...(dataFee && { dataFee: readDataFee(dataFee) }),
    ...(hops && { hops: readHops(hops) }),
    ...(keptOut && { keptOut: readKeptOut(keptOut) }),
    ...(switchedOff && {
      off: {
        source: new Set(switchedOff.sources),
        pool: new Set(switchedOff.pools),
        token: new Set(switchedOff.tokens),
      },
    }),
    ...(knownRoutes && { known: readRoutes(knownRoutes) }),
    ...(volatility && { volatility: readVolatility(volatility) }),
    ...(terms && { terms: readTerms(terms) }),
  };
}

function readHops({ any, added, removed }: NonNullable<HeadMessage["hops"]>): HopChanges {
  return { any, added: added as Address[], removed: removed as Address[] };
}

function readKeptOut({ added, removed }: NonNullable<HeadMessage["keptOut"]>): KeptOutChanges {
  return { added: added.map(({ token, reason }) => [token as Address, reason]), removed: removed as Address[] };
}

function writeRoutes({ changed, removed }: RouteChanges): MessageInitShape<typeof RouteChangesSchema> {
  return {
    changed: changed.map(writePairRoutes),
    removed: removed.map(({ sellToken, buyToken }) => ({ sellToken, buyToken })),
  };
}

function readRoutes({ changed, removed }: NonNullable<HeadMessage["knownRoutes"]>): RouteChanges {
  return { changed: changed.map(readPairRoutes), removed: removed.map(readPairRoutes) };
}

function readVolatility(message: NonNullable<HeadMessage["volatility"]>): VolatilityChanges {
  return {
    since: message.since,
    changed: message.changed.map(({ pool, variance, block }) => ({ pool: pool as PoolId, variance, block })),
    removed: message.removed as PoolId[],
    appeared: message.appeared.map(({ pool, block }) => [pool as PoolId, block]),
    settled: message.settled as PoolId[],
  };
}

function readTerms({ chainId, wrappedNative, referenceTokens }: NonNullable<HeadMessage["terms"]>): FeedTerms {
  const references = referenceTokens.length > 0 && { references: referenceTokens as Address[] };
  return { chainId, wrappedNative: wrappedNative as Address, ...references };
}
