import type { DatabaseSync } from "node:sqlite";
import { changeableKey, existingKey, type KeyDatabase, rotatableKey } from "../../api/keys/key-database.ts";
import type { ChangeableTerms, KeyRecord, KeyTerms } from "../../api/keys/key-record.ts";
import { keyText, newKeyId, newSecret } from "../../api/keys/key-text.ts";
import type { Digest } from "../../api/keys/pepper.ts";
import { keysOf, termColumns } from "../rows.ts";
import { openDatabase, settle, transaction } from "./database.ts";

const VERSIONS = [
  `CREATE TABLE keys (
     id TEXT PRIMARY KEY,
     account TEXT NOT NULL,
     label TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     expires_at INTEGER,
     revoked_at INTEGER,
     methods TEXT,
     origins TEXT,
     fee_recipient TEXT,
     fee_ppm INTEGER,
     units_per_second INTEGER,
     burst INTEGER
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE secrets (
     key_id TEXT NOT NULL REFERENCES keys (id),
     digest BLOB NOT NULL,
     created_at INTEGER NOT NULL,
     expires_at INTEGER,
     PRIMARY KEY (key_id, digest)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE pepper (digest BLOB NOT NULL) STRICT;`,
  `ALTER TABLE keys ADD COLUMN surplus_recipient TEXT;
   ALTER TABLE keys ADD COLUMN surplus_ppm INTEGER;`,
];

/**
 * Keys in a file: every change is on the disk when its promise resolves.
 * @throws Error when the file cannot be used, or its keys were made with another pepper
 */
export function openKeyDatabase(file: string, digest: Digest, now: () => number = Date.now): KeyDatabase {
  const database = openChecked(file, digest);
  const find = (id: string) => readKeys(database, id)[0];
  const existing = (id: string) => existingKey(id, find(id));
  const addSecret = (id: string) => {
    const secret = newSecret();
    database
      .prepare("INSERT INTO secrets (key_id, digest, created_at) VALUES (?, ?, ?)")
      .run(id, digest(id, secret), now());
    return keyText({ id, secret });
  };
  /** Does all of `work` or nothing of it, and leaves the file whole without its log. */
  const change = <T>(work: () => T): T => {
    const result = transaction(database, work);
    settle(database);
    return result;
  };

  return {
    async create(terms) {
      return change(() => {
        const id = newKeyId();
        insertKey(database, id, terms, now());
        return { key: addSecret(id), record: existing(id) };
      });
    },
    async update(id, terms) {
      return change(() => {
        updateKey(database, id, { ...changeableKey(id, find(id)), ...terms });
        return existing(id);
      });
    },
    list: async () => readKeys(database),
    find: async (id) => find(id),
    async revoke(id) {
      return change(() => {
        if (existing(id).revokedAt !== null) return false;
        database.prepare("UPDATE keys SET revoked_at = ? WHERE id = ?").run(now(), id);
        return true;
      });
    },
    async rotate(id, overlapMs) {
      return change(() => {
        rotatableKey(id, find(id), now());
        const end = now() + overlapMs;
        database.prepare("DELETE FROM secrets WHERE key_id = ? AND expires_at <= ?").run(id, now());
        database
          .prepare("UPDATE secrets SET expires_at = min(coalesce(expires_at, ?), ?) WHERE key_id = ?")
          .run(end, end, id);
        return { key: addSecret(id), record: existing(id) };
      });
    },
    version: async () => Number(database.prepare("PRAGMA data_version").get()?.data_version),
    // Another process tells nothing: its change shows in the version.
    onChange: () => () => {},
    close: () => database.close(),
  };
}

/** @throws Error when the file cannot be used, or its keys were made with another pepper */
function openChecked(file: string, digest: Digest): DatabaseSync {
  const database = openDatabase(file, VERSIONS);
  try {
    transaction(database, () => checkPepper(database, file, digest));
  } catch (error) {
    database.close();
    throw error;
  }
  settle(database);
  return database;
}

/** With another pepper no key would open anything, and nobody would know why. */
function checkPepper(database: DatabaseSync, file: string, digest: Digest): void {
  const expected = digest("pepper", "check");
  const row = database.prepare("SELECT digest FROM pepper").get();
  if (row === undefined) database.prepare("INSERT INTO pepper (digest) VALUES (?)").run(expected);
  else if (!expected.equals(row.digest as Uint8Array)) {
    throw new Error(`the keys in ${file} were made with another pepper: set KEY_PEPPER, or its file, as it was then`);
  }
}

function insertKey(database: DatabaseSync, id: string, terms: KeyTerms, createdAt: number): void {
  database
    .prepare(
      `INSERT INTO keys (id, account, label, created_at, expires_at, methods, origins, fee_recipient, fee_ppm,
                         surplus_recipient, surplus_ppm, units_per_second, burst)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(...[id, terms.account, terms.label, createdAt, terms.expiresAt], ...termColumns(terms));
}

function updateKey(database: DatabaseSync, id: string, terms: ChangeableTerms): void {
  database
    .prepare(
      `UPDATE keys SET label = ?, expires_at = ?, methods = ?, origins = ?, fee_recipient = ?, fee_ppm = ?,
                       surplus_recipient = ?, surplus_ppm = ?, units_per_second = ?, burst = ?
       WHERE id = ?`,
    )
    .run(terms.label, terms.expiresAt, ...termColumns(terms), id);
}

/** One moment's view of all keys, or of one. */
function readKeys(database: DatabaseSync, id: string | null = null): readonly KeyRecord[] {
  const rows = database
    .prepare(
      `SELECT keys.*, secrets.digest, secrets.created_at AS secret_created_at, secrets.expires_at AS secret_expires_at
       FROM keys JOIN secrets ON secrets.key_id = keys.id
       WHERE :id IS NULL OR keys.id = :id
       ORDER BY keys.created_at, keys.id, coalesce(secrets.expires_at, 9e15) DESC, secrets.created_at DESC`,
    )
    .all({ id });
  return keysOf(rows);
}
