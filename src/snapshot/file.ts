import { accessSync, constants, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { create, fromBinary, fromJson, type JsonValue, type Message, toBinary, toJson } from "@bufbuild/protobuf";
import {
  type DataFee as DataFeeMessage,
  type Snapshot as SnapshotMessage,
  SnapshotSchema,
} from "#gen/snapshot/v1/snapshot_pb.ts";
import { type Address, type Hex, toAddress } from "../domain/address.ts";
import type { BlockRef } from "../domain/block.ts";
import { messageOf } from "../domain/message-of.ts";
import type { Assurance, SourceId, SourceKind } from "../domain/source.ts";
import type { Token } from "../domain/token.ts";
import type { DataFee } from "../market/snapshot.ts";
import { natural } from "../pools/curve/state-field.ts";
import type { Pool } from "../pools/pool.ts";
import { impossibleIn, readPool, writePool } from "./states.ts";

/** A market at one block as a file keeps it: enough to price anything without a node. docs/snapshots.md. */
export interface SavedMarket {
  readonly chainId: number;
  readonly block: BlockRef;
  /** Wei per gas. */
  readonly gasPrice: bigint;
  /** Most gas of one transaction; absent from files that were written before it was kept. */
  readonly mostGas?: bigint;
  readonly dataFee?: DataFee;
  readonly wrappedNative: Address;
  readonly referenceTokens: readonly Address[];
  /** Tokens that a route may lead over, besides the sold and the bought one; absent: all. */
  readonly hopTokens?: readonly Address[];
  readonly tokens: readonly Token[];
  readonly sources: readonly SavedSource[];
  /** The oldest first. */
  readonly pools: readonly SavedPool[];
}

export interface SavedSource {
  readonly id: SourceId;
  readonly kind: SourceKind;
  readonly exactOut: boolean;
  readonly assurance: Assurance;
  /** It turns the native token into its ERC-20 form and back. */
  readonly wrapsNative?: true;
}

export interface SavedPool {
  readonly pool: Pool;
  /** Fields of the pool in `orders[].fillData`. */
  readonly fillData: Readonly<Record<string, string>>;
}

/** A file that is no snapshot, or not one that can be trusted; the message says where. */
export class SnapshotFileError extends Error {
  override readonly name = "SnapshotFileError";
}

const KINDS: readonly string[] = ["amm", "maker", "rfq", "wrapper"] satisfies readonly SourceKind[];
const ASSURANCES: readonly string[] = ["exact", "modelled"] satisfies readonly Assurance[];
const MAX_DECIMALS = 255;

/** The message of a market. */
export function toSnapshotMessage(saved: SavedMarket): SnapshotMessage {
  const { block } = saved;
  return create(SnapshotSchema, {
    chainId: saved.chainId,
    block: { number: block.number, hash: block.hash, parentHash: block.parentHash, timestamp: block.timestamp },
    gasPrice: String(saved.gasPrice),
    ...(saved.mostGas !== undefined && { mostGas: String(saved.mostGas) }),
    ...(saved.dataFee && { dataFee: writeDataFee(saved.dataFee) }),
    wrappedNative: saved.wrappedNative,
    referenceTokens: [...saved.referenceTokens],
    hopTokens: [...(saved.hopTokens ?? [])],
    tokens: saved.tokens.map(({ wholeUnits = false, ...token }) => ({ ...token, wholeUnits })),
    sources: saved.sources.map(({ id, kind, exactOut, assurance, wrapsNative }) => {
      return { name: id, kind, exactOut, assurance, wrapsNative: wrapsNative === true };
    }),
    pools: saved.pools.map(({ pool, fillData }) => ({
      ...writePool(pool),
      fillData: Object.fromEntries(Object.entries(fillData).sort(([a], [b]) => (a < b ? -1 : 1))),
    })),
  });
}

/** @throws SnapshotFileError */
export function fromSnapshotMessage(message: SnapshotMessage): SavedMarket {
  const { block } = message;
  if (block === undefined) throw new SnapshotFileError("block: missing");
  const { poolCount, pools: told } = message;
  if (poolCount !== 0 && poolCount !== told.length) {
    throw new SnapshotFileError(`pools: ${told.length} of ${poolCount}: the file was cut`);
  }
  const sources = message.sources.map(({ name, kind, exactOut, assurance, wrapsNative }): SavedSource => {
    if (!KINDS.includes(kind)) throw new SnapshotFileError(`source ${name}: no kind of source: "${kind}"`);
    if (!ASSURANCES.includes(assurance)) throw new SnapshotFileError(`source ${name}: no assurance: "${assurance}"`);
    const source = { id: name, kind: kind as SourceKind, exactOut, assurance: assurance as Assurance };
    return wrapsNative ? { ...source, wrapsNative } : source;
  });
  const names = new Set(sources.map(({ id }) => id));
  if (names.size < sources.length) throw new SnapshotFileError("sources: two of one name");
  const ids = new Set<string>();
  const pools = message.pools.map((saved): SavedPool => {
    const { id, source, fillData } = saved;
    if (id === "" || ids.has(id)) throw new SnapshotFileError(`pool ${id}: ${id === "" ? "no id" : "twice"}`);
    ids.add(id);
    if (!names.has(source)) throw new SnapshotFileError(`pool ${id}: no source is called "${source}"`);
    return within(`pool ${id}`, () => ({ pool: readPool(saved), fillData: { ...fillData } }));
  });
  return {
    chainId: message.chainId,
    block: {
      number: block.number,
      hash: hashOf("block.hash", block.hash),
      parentHash: hashOf("block.parentHash", block.parentHash),
      timestamp: block.timestamp,
    },
    gasPrice: numberOf("gasPrice", message.gasPrice),
    ...(message.mostGas !== "" && { mostGas: numberOf("mostGas", message.mostGas) }),
    ...(message.dataFee && { dataFee: readDataFee(message.dataFee) }),
    wrappedNative: within("wrappedNative", () => toAddress(message.wrappedNative)),
    referenceTokens: within("referenceTokens", () => message.referenceTokens.map(toAddress)),
    ...(message.hopTokens.length > 0 && {
      hopTokens: within("hopTokens", () => message.hopTokens.map(toAddress)),
    }),
    tokens: message.tokens.map(({ address, symbol, name, decimals, wholeUnits }) => {
      if (decimals > MAX_DECIMALS) throw new SnapshotFileError(`token ${address}: ${decimals} decimals`);
      const token = { address: within("tokens", () => toAddress(address)), symbol, name, decimals };
      return wholeUnits ? { ...token, wholeUnits } : token;
    }),
    sources,
    pools,
  };
}

/** Looks whether a file can be written there, for those who read for long before they write. @throws SnapshotFileError */
export function checkSnapshotPlace(path: string): void {
  within(path, () => {
    const there = statSync(path, { throwIfNoEntry: false });
    if (there?.isDirectory()) throw new Error("is a folder");
    accessSync(there === undefined ? dirname(path) : path, constants.W_OK);
  });
}

/** Writes proto3 JSON where the name ends in .json, else protobuf's binary form. */
export function writeSnapshotFile(path: string, saved: SavedMarket): void {
  const message = toSnapshotMessage(saved);
  if (path.endsWith(".json")) writeFileSync(path, `${JSON.stringify(toJson(SnapshotSchema, message))}\n`);
  else writeFileSync(path, binaryOf(message));
}

/**
 * A binary message that ends between two fields is a message as well, with less in it: so how many pools there are comes
 * first, and they come last. Fields may stand in any order.
 */
function binaryOf({ pools, ...rest }: SnapshotMessage): Buffer {
  const parts = [{ poolCount: pools.length }, { ...rest, pools: [] }, { pools }];
  return Buffer.concat(parts.map((part) => toBinary(SnapshotSchema, create(SnapshotSchema, part))));
}

/** @throws SnapshotFileError when the file cannot be read or is not what it should be */
export function readSnapshotFile(path: string): SavedMarket {
  return within(path, () => {
    const bytes = readFileSync(path);
    const saved = fromSnapshotMessage(path.endsWith(".json") ? messageInText(bytes) : messageInBinary(bytes));
    for (const { pool } of saved.pools) {
      const fault = impossibleIn(pool);
      if (fault !== undefined) throw new SnapshotFileError(`pool ${pool.id}: ${fault}`);
    }
    return saved;
  });
}

function messageInText(bytes: Buffer): SnapshotMessage {
  return fromJson(SnapshotSchema, JSON.parse(bytes.toString("utf8")) as JsonValue);
}

/** Protobuf keeps fields that it does not know aside; JSON with such is refused by itself. */
function messageInBinary(bytes: Uint8Array): SnapshotMessage {
  const message = fromBinary(SnapshotSchema, bytes);
  const unknown = unknownIn(message);
  if (unknown !== undefined) throw new SnapshotFileError(`${unknown}: unknown to this version`);
  return message;
}

/** The first field, named by its message and number, that is not in the schema of a message or of one within. */
function unknownIn(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { $typeName, $unknown } = value as Partial<Message>;
  const [first] = $unknown ?? [];
  if (first !== undefined) return `${$typeName}: field ${first.no}`;
  for (const part of Object.values(value)) {
    const found = unknownIn(part);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function writeDataFee({ fixed, perByte, asGas }: DataFee) {
  return { fixed: String(fixed), perByte: String(perByte), asGas: asGas === true };
}

export function readDataFee({ fixed, perByte, asGas }: DataFeeMessage): DataFee {
  const amounts = { fixed: numberOf("dataFee.fixed", fixed), perByte: numberOf("dataFee.perByte", perByte) };
  return asGas ? { ...amounts, asGas } : amounts;
}

function numberOf(where: string, text: string): bigint {
  return within(where, () => natural(text));
}

function hashOf(where: string, text: string): Hex {
  if (!/^0x[0-9a-f]{64}$/.test(text)) throw new SnapshotFileError(`${where}: not a hash: "${text}"`);
  return text as Hex;
}

function within<T>(where: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new SnapshotFileError(`${where}: ${messageOf(error)}`);
  }
}
