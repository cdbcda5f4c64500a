import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import {
  type FleetEntry as EntryMessage,
  FleetEntrySchema,
  type PoolsFound as FoundMessage,
} from "#gen/snapshot/v1/fleet_pb.ts";
import type { Address } from "../domain/address.ts";
import type { SourceId } from "../domain/source.ts";
import type { LeftOut, LeftOutReason } from "../market/eligibility.ts";
import { type KeptState, keptPoolOf } from "./kept-state.ts";

/**
 * Version of the feed that this program writes, and the oldest one whose readers understand what it writes. Readers pass over fields
 * that they do not know: where such a field decides an answer, the version before must not read it (test/snapshot/feed-version.test.ts).
 */
export const FLEET_VERSION = 3;
export const READABLE_FROM = 3;

/** State of a source in the process that follows the chain. */
export interface SourceStanding {
  readonly id: SourceId;
  readonly pools: number;
  readonly asleep: number;
  readonly withheld: number;
  /** Why it is off; undefined where it is not. */
  readonly off: string | undefined;
  /** Pools that were announced and are not served. */
  readonly unserved: readonly LeftOut[];
}

/** Pools that were found, without states, and what else another process needs to go on from there. */
export interface PoolsFound extends Pick<KeptState, "pools" | "searches" | "sources"> {
  readonly deepSince: NonNullable<KeptState["deepSince"]>;
  /** Number of the block up to which all are told. */
  readonly upTo: bigint;
}

/** One entry of a fleet's feed. */
export interface FleetEntry {
  /** Fencing token of the lease that it was written under. */
  readonly token: number;
  /** Number of the newest state; 0: none was told yet. */
  readonly sequence: number;
  /** Number of the state that the update differs from; 0: it is whole. */
  readonly from: number;
  /** The update in the feed's own code (`feed-codec.ts`); empty: none. */
  readonly parts: readonly Uint8Array[];
  /** Hash of the newest state's block. */
  readonly blockHash: string;
  /** Milliseconds since a node last confirmed that block as its head. */
  readonly silentMs: number;
  readonly unavailable?: string | undefined;
  readonly sources: readonly SourceStanding[];
  readonly found?: PoolsFound | undefined;
  /** Told by the version before: states of pools may lack fields that answers depend on. */
  readonly isOlder?: true;
}

export function encodeEntry({ found, unavailable = "", isOlder: _, ...entry }: FleetEntry): Uint8Array {
  const init: MessageInitShape<typeof FleetEntrySchema> = {
    ...{ version: FLEET_VERSION, readableFrom: READABLE_FROM, token: BigInt(entry.token) },
    ...{ sequence: BigInt(entry.sequence), from: BigInt(entry.from), parts: [...entry.parts] },
    ...{ blockHash: entry.blockHash, silentMs: BigInt(Math.round(entry.silentMs)), unavailable },
    sources: entry.sources.map(({ off = "", ...source }) => ({ ...source, off, unserved: [...source.unserved] })),
    ...(found && { found: writeFound(found) }),
  };
  return toBinary(FleetEntrySchema, create(FleetEntrySchema, init));
}

/**
 * Reads an entry of this version, of the one before, or of a later one whose writer says that this one can.
 * @throws RangeError for others, and for bytes that are none
 */
export function decodeEntry(bytes: Uint8Array): FleetEntry {
  const message: EntryMessage = fromBinary(FleetEntrySchema, bytes);
  const { version, readableFrom, token, sequence, from, silentMs, found, unavailable, ...rest } = message;
  if (version < FLEET_VERSION - 1 || readableFrom > FLEET_VERSION)
    throw new RangeError(
      `the feed has version ${version}, readable from ${readableFrom} on, and this program speaks ${FLEET_VERSION}: ` +
        "go up one version at a time",
    );
  return {
    ...{ token: Number(token), sequence: Number(sequence), from: Number(from), silentMs: Number(silentMs) },
    ...{ parts: rest.parts, blockHash: rest.blockHash, sources: rest.sources.map(readStanding) },
    ...(unavailable !== "" && { unavailable }),
    ...(found && { found: readFound(found) }),
    ...(version < FLEET_VERSION && { isOlder: true as const }),
  };
}

function readStanding({ id, pools, asleep, withheld, off, unserved }: EntryMessage["sources"][number]): SourceStanding {
  const counts = unserved.map(({ reason, pools: count }) => ({ reason: reason as LeftOutReason, pools: count }));
  return { id, pools, asleep, withheld, off: off === "" ? undefined : off, unserved: counts };
}

function writeFound({ pools, upTo, searches = [], deepSince, sources }: PoolsFound) {
  return {
    pools: pools.map(({ source, ref: { id, address, tokens, terms } }) => {
      return { source, id, address, tokens: [...tokens], terms: { ...terms } };
    }),
    ...{ upTo, sources: [...sources] },
    searches: searches.map((search) => ({ ...search, sources: [...search.sources] })),
    deepSince: deepSince.map(([token, since]) => ({ token, since })),
  };
}

function readFound({ pools, upTo, searches, deepSince, sources }: FoundMessage): PoolsFound {
  return {
    ...{ pools: pools.map(keptPoolOf), upTo, sources },
    searches: searches.map(({ sources: of, next, to }) => ({ sources: of, next, to })),
    deepSince: deepSince.map(({ token, since }) => [token as Address, since] as const),
  };
}
