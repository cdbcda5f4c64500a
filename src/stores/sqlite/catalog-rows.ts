import type { SQLInputValue, SQLOutputValue } from "node:sqlite";
import { type Address, type Hex, toAddress } from "../../domain/address.ts";
import type { PoolId } from "../../domain/route.ts";

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

export function addressOf(value: SQLOutputValue | undefined): Address {
  return toAddress(value instanceof Uint8Array ? hexOf(value) : "0x");
}

export function tokensOf(value: SQLOutputValue | undefined): readonly Address[] {
  if (!(value instanceof Uint8Array)) return [];
  return Array.from({ length: value.length / ADDRESS_BYTES }, (_, index) =>
    toAddress(hexOf(value.subarray(index * ADDRESS_BYTES, (index + 1) * ADDRESS_BYTES))),
  );
}

/** What SQLite says of a file that is damaged, and of one that is no database (sqlite.org/rescode.html). */
const DAMAGED: ReadonlySet<unknown> = new Set([11, 26]);

/** Whether a file could not be opened because of what is in it. */
export function isDamaged(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return typeof cause === "object" && cause !== null && "errcode" in cause && DAMAGED.has(cause.errcode);
}

/** A row of any table. */
export type Row = Readonly<Record<string, SQLOutputValue>>;

/** Settles when other work of the process has had its turn. */
export function othersTurn(): Promise<void> {
  return new Promise(setImmediate);
}
