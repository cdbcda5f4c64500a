import type { SQLInputValue, SQLOutputValue } from "node:sqlite";
import { type Address, type Hex, toAddress } from "../../domain/address.ts";
import type { PoolId } from "../../domain/route.ts";
import type { SourceId } from "../../domain/source.ts";
import type { KnownPool } from "../../market/pool-catalog.ts";
import { DamageError } from "./damage.ts";

/** The steps to the tables of a catalog of pools. */
export const VERSIONS = [
  `CREATE TABLE catalog (id TEXT NOT NULL) STRICT;
   CREATE TABLE sources (
     number INTEGER PRIMARY KEY,
     name TEXT NOT NULL UNIQUE,
     terms TEXT NOT NULL,
     asleep INTEGER NOT NULL DEFAULT 0
   ) STRICT;
   CREATE TABLE pools (
     number INTEGER PRIMARY KEY AUTOINCREMENT,
     id ANY NOT NULL UNIQUE,
     source INTEGER NOT NULL REFERENCES sources,
     address BLOB NOT NULL,
     tokens BLOB NOT NULL,
     terms TEXT NOT NULL,
     awake INTEGER NOT NULL DEFAULT 0
   ) STRICT;
   CREATE INDEX awake_pools ON pools (number) WHERE awake = 1;
   CREATE INDEX pools_by_source ON pools (source);
   CREATE TABLE holdings (
     token BLOB NOT NULL,
     pool INTEGER NOT NULL,
     PRIMARY KEY (token, pool)
   ) STRICT, WITHOUT ROWID;`,
];

const ADDRESS_BYTES = 20;
const BYTES = /^0x(?:[0-9a-f]{2})+$/;

/** An id as it is kept: as bytes where it is those. */
export function keyOf(id: PoolId): SQLInputValue {
  return BYTES.test(id) ? bytesOf(id as Hex) : id;
}

export function idOf(value: SQLOutputValue | undefined): PoolId {
  return value instanceof Uint8Array ? hexOf(value) : String(value);
}

export function bytesOf(hex: Hex): Buffer {
  return Buffer.from(hex.slice(2), "hex");
}

function hexOf(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex")}`;
}

function addressOf(value: SQLOutputValue | undefined): Address {
  return toAddress(value instanceof Uint8Array ? hexOf(value) : "0x");
}

export function addressesOf(value: SQLOutputValue | undefined): readonly Address[] {
  if (!(value instanceof Uint8Array)) return [];
  return Array.from({ length: value.length / ADDRESS_BYTES }, (_, index) =>
    toAddress(hexOf(value.subarray(index * ADDRESS_BYTES, (index + 1) * ADDRESS_BYTES))),
  );
}

/** A row of any table. */
export type Row = Readonly<Record<string, SQLOutputValue>>;

/** A pool from its row. @throws DamageError where that is not as it was written */
export function poolOf({ id, address, tokens, terms }: Row, source: SourceId): KnownPool {
  try {
    const ref = { id: idOf(id), address: addressOf(address), tokens: addressesOf(tokens) };
    return { source, ref: { ...ref, terms: JSON.parse(String(terms)) } };
  } catch (error) {
    throw new DamageError("a pool is not as it was written", { cause: error });
  }
}

/** Settles when other work of the process has had its turn. */
export function nextWriter(): Promise<void> {
  return new Promise(setImmediate);
}
