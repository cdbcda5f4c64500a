import type { ChangeableTerms, KeyRecord, KeyTerms } from "./key-record.ts";

/** The keys of a service. Every change is kept when its promise resolves. */
export interface KeyDatabase {
  /** Makes a key. Its text is told this one time. */
  create(terms: KeyTerms): Promise<{ readonly key: string; readonly record: KeyRecord }>;
  /** All keys, oldest first. */
  list(): Promise<readonly KeyRecord[]>;
  find(id: string): Promise<KeyRecord | undefined>;
  /** Changes terms of a key; its secrets stay. @throws Error when there is no such key, or it was revoked */
  update(id: string, terms: Partial<ChangeableTerms>): Promise<KeyRecord>;
  /** Ends a key for good. False when it had ended before. @throws Error when there is no such key */
  revoke(id: string): Promise<boolean>;
  /**
   * Gives a key a new secret; those that it had hold for another `overlapMs`.
   * @throws Error when there is no such key, or it has ended
   */
  rotate(id: string, overlapMs: number): Promise<{ readonly key: string; readonly record: KeyRecord }>;
  /** A number that is another one after each change that somebody else has made. */
  version(): Promise<number>;
  /**
   * Calls `told` soon after somebody else has changed keys, where the store hears of that. A word may get lost: who has to
   * know looks at the version too. What is returned ends it.
   */
  onChange(told: () => void): () => void;
  close(): void;
}

/** @throws Error when there is no such key */
export function existingKey(id: string, record: KeyRecord | undefined): KeyRecord {
  if (record === undefined) throw new Error(`there is no key with the id ${id}: see tributary keys list`);
  return record;
}

/** @throws Error when there is no such key, or it was revoked */
export function changeableKey(id: string, record: KeyRecord | undefined): KeyRecord {
  const existing = existingKey(id, record);
  if (existing.revokedAt !== null) throw new Error(`the key ${id} was revoked: make a new one`);
  return existing;
}

/** @throws Error when there is no such key, or it has ended by `now`, unix milliseconds */
export function rotatableKey(id: string, record: KeyRecord | undefined, now: number): KeyRecord {
  const changeable = changeableKey(id, record);
  const { expiresAt } = changeable;
  if (expiresAt !== null && expiresAt <= now) throw new Error(`the key ${id} has expired: make a new one`);
  return changeable;
}
