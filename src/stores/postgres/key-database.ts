import { changeableKey, existingKey, type KeyDatabase, rotatableKey } from "../../api/keys/key-database.ts";
import type { ChangeableTerms, KeyRecord, KeyTerms } from "../../api/keys/key-record.ts";
import { keyText, newKeyId, newSecret } from "../../api/keys/key-text.ts";
import type { Digest } from "../../api/keys/pepper.ts";
import { keysOf, termColumns } from "../rows.ts";
import type { ChangeListener } from "./change-listener.ts";
import type { Database, Query } from "./database.ts";

/** Dependencies of the key database. */
export interface KeyParts {
  readonly database: Database;
  readonly changes: ChangeListener;
  readonly digest: Digest;
  readonly now?: () => number;
}

/**
 * Keys in PostgreSQL, for all replicas. @throws Error when the database does not answer, or its keys were made with another
 * pepper
 */
export async function openKeyDatabase({ database, changes, digest, now = Date.now }: KeyParts): Promise<KeyDatabase> {
  const direct: Query = (text, values) => database.query(text, values);
  await checkPepper(direct, digest);
  const addSecret = async (query: Query, id: string): Promise<string> => {
    const secret = newSecret();
    await query("INSERT INTO tributary.secrets (key_id, digest, created_at) VALUES ($1, $2, $3)", [
      id,
      digest(id, secret),
      now(),
    ]);
    return keyText({ id, secret });
  };

  return {
    create: (terms) =>
      database.transaction(async (query) => {
        const id = newKeyId();
        await insertKey(query, id, terms, now());
        return { key: await addSecret(query, id), record: existingKey(id, await readKey(query, id)) };
      }),
    update: (id, terms) =>
      database.transaction(async (query) => {
        const current = changeableKey(id, await lockedKey(query, id));
        await updateKey(query, id, { ...current, ...terms });
        return existingKey(id, await readKey(query, id));
      }),
    list: () => readKeys(direct, null),
    find: (id) => readKey(direct, id),
    revoke: (id) =>
      database.transaction(async (query) => {
        if (existingKey(id, await lockedKey(query, id)).revokedAt !== null) return false;
        await query("UPDATE tributary.keys SET revoked_at = $2 WHERE id = $1", [id, now()]);
        return true;
      }),
    rotate: (id, overlapMs) =>
      database.transaction(async (query) => {
        rotatableKey(id, await lockedKey(query, id), now());
        await query("DELETE FROM tributary.secrets WHERE key_id = $1 AND expires_at <= $2", [id, now()]);
        await query(
          "UPDATE tributary.secrets SET expires_at = least(coalesce(expires_at, $2::bigint), $2::bigint) WHERE key_id = $1",
          [id, now() + overlapMs],
        );
        return { key: await addSecret(query, id), record: existingKey(id, await readKey(query, id)) };
      }),
    async version() {
      const [row] = await database.query("SELECT version FROM tributary.changes WHERE topic = 'keys'");
      return Number(row?.version);
    },
    onChange: (told) => changes.on("keys", told),
    // The connections belong to whoever opened the database.
    close() {},
  };
}

/**
 * With another pepper no key would open anything, and nobody would know why.
 * @throws Error when the keys were made with another one
 */
export async function checkPepper(query: Query, digest: Digest): Promise<void> {
  const expected = digest("pepper", "check");
  await query("INSERT INTO tributary.pepper (digest) VALUES ($1) ON CONFLICT DO NOTHING", [expected]);
  const [row] = await query("SELECT digest FROM tributary.pepper");
  if (expected.equals(row?.digest as Uint8Array)) return;
  throw new Error("the keys in the database were made with another pepper: set KEY_PEPPER to what it was then");
}

async function insertKey(query: Query, id: string, terms: KeyTerms, createdAt: number): Promise<void> {
  await query(
    `INSERT INTO tributary.keys (id, account, created_at, label, expires_at, methods, origins, fee_recipient, fee_ppm,
                                 surplus_recipient, surplus_ppm, units_per_second, burst)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [id, terms.account, createdAt, ...columnsOf(terms)],
  );
}

async function updateKey(query: Query, id: string, terms: ChangeableTerms): Promise<void> {
  await query(
    `UPDATE tributary.keys
     SET label = $2, expires_at = $3, methods = $4, origins = $5, fee_recipient = $6, fee_ppm = $7,
         surplus_recipient = $8, surplus_ppm = $9, units_per_second = $10, burst = $11
     WHERE id = $1`,
    [id, ...columnsOf(terms)],
  );
}

/** Puts keys with all of their secrets into a database that has none of them, as another store has kept them. */
export async function copyKeys(query: Query, records: readonly KeyRecord[]): Promise<void> {
  for (const record of records) {
    await insertKey(query, record.id, record, record.createdAt);
    if (record.revokedAt !== null)
      await query("UPDATE tributary.keys SET revoked_at = $2 WHERE id = $1", [record.id, record.revokedAt]);
    for (const { digest, createdAt, expiresAt } of record.secrets)
      await query("INSERT INTO tributary.secrets (key_id, digest, created_at, expires_at) VALUES ($1, $2, $3, $4)", [
        ...[record.id, digest, createdAt, expiresAt],
      ]);
  }
}

/** Label, end and all that `termColumns` has, as they are kept. */
function columnsOf(terms: ChangeableTerms): readonly unknown[] {
  return [terms.label, terms.expiresAt, ...termColumns(terms)];
}

/** A key that nobody else changes until the transaction ends. */
async function lockedKey(query: Query, id: string): Promise<KeyRecord | undefined> {
  await query("SELECT 1 FROM tributary.keys WHERE id = $1 FOR UPDATE", [id]);
  return readKey(query, id);
}

async function readKey(query: Query, id: string): Promise<KeyRecord | undefined> {
  return (await readKeys(query, id))[0];
}

/** One moment's view of all keys, or of one. */
async function readKeys(query: Query, id: string | null): Promise<readonly KeyRecord[]> {
  const rows = await query(
    `SELECT keys.id, account, label, keys.created_at, keys.expires_at, revoked_at, methods, origins, fee_recipient, fee_ppm,
            surplus_recipient, surplus_ppm, units_per_second, burst,
            secrets.digest, secrets.created_at AS secret_created_at, secrets.expires_at AS secret_expires_at
     FROM tributary.keys JOIN tributary.secrets ON secrets.key_id = keys.id
     WHERE $1::text IS NULL OR keys.id = $1
     ORDER BY keys.created_at, keys.id COLLATE "C", secrets.expires_at DESC NULLS FIRST, secrets.created_at DESC`,
    [id],
  );
  return keysOf(rows);
}
