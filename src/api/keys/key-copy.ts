import { timingSafeEqual } from "node:crypto";
import { refuse } from "../../domain/errors/swap-error.ts";
import { messageOf } from "../../domain/message-of.ts";
import type { Logger } from "../../ops/logger.ts";
import type { KeyDatabase } from "./key-database.ts";
import type { KeyRecord } from "./key-record.ts";
import type { Account, KeyEnd, KeyStore } from "./key-store.ts";
import { parseKeyText } from "./key-text.ts";
import { DIGEST_BYTES, type Digest } from "./pepper.ts";

/** Keys in memory, beside the database that they are kept in. */
export interface KeyCopy extends KeyStore {
  /** Looks for changes now; resolves when that is done, whether the keys could be read or not. */
  refresh(): Promise<void>;
  stop(): void;
}

/**
 * Milliseconds between two looks for changes that another process has made. A revoked key is to be refused within a second,
 * by streams too, which look at the copy every 500 ms; where the store tells of changes it is sooner.
 */
const REFRESH_EVERY_MS = 400;

/** Seconds for which a copy that cannot be renewed is accepted, unless the options say it. */
const KEY_CACHE_SECONDS = 30;

/**
 * Reads all keys once, and again when they have changed. A copy that could not be renewed for `cacheSeconds` opens nothing: a
 * key in it may have been revoked.
 * @throws Error when they cannot be read at first
 */
export async function createKeyCopy(
  database: Pick<KeyDatabase, "list" | "version" | "onChange">,
  digest: Digest,
  options: { readonly logger: Logger; readonly cacheSeconds?: number; readonly now?: () => number },
): Promise<KeyCopy> {
  /** Stand-in that the digest of an unknown key's secret is compared with. */
  const noDigest = Buffer.alloc(DIGEST_BYTES);
  const { logger, cacheSeconds = KEY_CACHE_SECONDS, now = Date.now } = options;
  let keys: ReadonlyMap<string, KeyRecord> = new Map();
  let version = Number.NaN;
  let seenAt = now();
  let failing = false;
  const read = async () => {
    // The result of a read is at least as new as this moment, however long the read takes.
    const askedAt = now();
    const current = await database.version();
    if (current !== version) {
      keys = new Map((await database.list()).map((key) => [key.id, key]));
      version = current;
    }
    seenAt = askedAt;
  };
  const look = async () => {
    try {
      await read();
      failing = false;
    } catch (error) {
      if (!failing) logger.error({ reason: messageOf(error) }, "the keys cannot be read");
      failing = true;
    }
  };
  const refresh = oneAtATime(look);
  await read();
  const timer = setInterval(refresh, REFRESH_EVERY_MS);
  timer.unref();
  const unsubscribe = database.onChange(refresh);

  return {
    refresh,
    stop() {
      clearInterval(timer);
      unsubscribe();
    },
    verify(text) {
      const parts = parseKeyText(text);
      if (parts === undefined) return undefined;
      if (now() - seenAt > cacheSeconds * 1_000) {
        throw refuse("KEYS_UNREADABLE", "the keys cannot be checked now - try again");
      }
      const key = keys.get(parts.id);
      const given = digest(parts.id, parts.secret);
      const secrets = key?.secrets ?? [{ digest: noDigest, expiresAt: null }];
      const secret = secrets.filter((candidate) => timingSafeEqual(candidate.digest, given)).at(0);
      if (key === undefined || secret === undefined) return undefined;
      return endOf(key, secret.expiresAt, now()) ?? accountOf(key);
    },
  };
}

/** Runs `look` once at a time. A call during a run gets the next one: the current run may have missed the change. */
function oneAtATime(look: () => Promise<void>): () => Promise<void> {
  let looking: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const refresh = (): Promise<void> => {
    if (looking === undefined) {
      looking = look().finally(() => {
        looking = undefined;
      });
      return looking;
    }
    next ??= looking.then(() => {
      next = undefined;
      return refresh();
    });
    return next;
  };
  return refresh;
}

function endOf(key: KeyRecord, secretExpiresAt: number | null, now: number): KeyEnd | undefined {
  if (key.revokedAt !== null) return "REVOKED";
  return [key.expiresAt, secretExpiresAt].some((at) => at !== null && at <= now) ? "EXPIRED" : undefined;
}

function accountOf({ id, account, methods, origins, integrator, surplus, limit }: KeyRecord): Account {
  return {
    keyId: id,
    account,
    ...(methods !== null && { methods }),
    ...(origins !== null && { origins }),
    ...(integrator !== null && {
      integrator: {
        recipient: integrator.recipient,
        ...(integrator.ratePpm !== null && { ratePpm: integrator.ratePpm }),
      },
    }),
    ...(surplus !== null && { surplus }),
    ...(limit !== null && { limit }),
  };
}
