import { changeableKey, existingKey, type KeyDatabase, rotatableKey } from "../../api/keys/key-database.ts";
import type { KeyRecord, SecretRecord } from "../../api/keys/key-record.ts";
import { keyText, newKeyId, newSecret } from "../../api/keys/key-text.ts";
import type { Digest } from "../../api/keys/pepper.ts";

/** Keys of one process, gone when it ends. Its holders share one object, so that every change counts as somebody else's. */
export function createMemoryKeyDatabase(digest: Digest, now: () => number = Date.now): KeyDatabase {
  const keys = new Map<string, KeyRecord>();
  let changes = 0;
  const listeners = new Set<() => void>();

  function keep(record: KeyRecord): KeyRecord {
    keys.set(record.id, record);
    changes += 1;
    for (const told of listeners) told();
    return record;
  }

  /** Keeps a record with another secret in front of those given. */
  function withNewSecret(record: Omit<KeyRecord, "secrets">, older: readonly SecretRecord[]) {
    const secret = newSecret();
    const newest = { digest: digest(record.id, secret), createdAt: now(), expiresAt: null };
    return { key: keyText({ id: record.id, secret }), record: keep({ ...record, secrets: [newest, ...older] }) };
  }

  return {
    create: async (terms) => withNewSecret({ ...terms, id: newKeyId(), createdAt: now(), revokedAt: null }, []),
    list: async () => [...keys.values()].sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)),
    find: async (id) => keys.get(id),
    update: async (id, terms) => keep({ ...changeableKey(id, keys.get(id)), ...terms }),
    async revoke(id) {
      const record = existingKey(id, keys.get(id));
      if (record.revokedAt !== null) return false;
      keep({ ...record, revokedAt: now() });
      return true;
    },
    async rotate(id, overlapMs) {
      const record = rotatableKey(id, keys.get(id), now());
      const end = now() + overlapMs;
      const older = record.secrets
        .filter(({ expiresAt }) => expiresAt === null || expiresAt > now())
        .map((secret) => ({ ...secret, expiresAt: Math.min(secret.expiresAt ?? end, end) }));
      return withNewSecret(record, older);
    },
    version: async () => changes,
    onChange(told) {
      listeners.add(told);
      return () => listeners.delete(told);
    },
    close() {},
  };
}
