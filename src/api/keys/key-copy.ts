import { timingSafeEqual } from "node:crypto";
import { refuse } from "../../domain/errors/swap-error.ts";
import type { Logger } from "../../ops/logger.ts";
import type { KeyDatabase } from "./key-database.ts";
import type { KeyRecord } from "./key-record.ts";
import type { Account, KeyEnd, KeyStore } from "./key-store.ts";
import { parseKeyText } from "./key-text.ts";
import { DIGEST_BYTES, type Digest } from "./pepper.ts";

/** Keys in memory, beside the database that they are kept in. */
export interface KeyCopy extends KeyStore {
  /** Looks for changes now. */
  refresh(): void;
  stop(): void;
}

/** Milliseconds between two looks for changes that another process has made. */
const REFRESH_EVERY_MS = 1_000;

/** Milliseconds after which a copy that could not be renewed opens nothing: a key in it may have been revoked. */
const LONGEST_UNSEEN_MS = 30_000;

/** Reads all keys once, and again when they have changed. */
export function createKeyCopy(
  database: Pick<KeyDatabase, "list" | "version">,
  digest: Digest,
  options: { readonly logger: Logger; readonly now?: () => number },
): KeyCopy {
  /** What the digest of an unknown key's secret is compared with. */
  const noDigest = Buffer.alloc(DIGEST_BYTES);
  const { logger, now = Date.now } = options;
  let keys: ReadonlyMap<string, KeyRecord> = new Map();
  let version = Number.NaN;
  let seenAt = now();
  let failing = false;
  const read = () => {
    const current = database.version();
    if (current !== version) {
      keys = new Map(database.list().map((key) => [key.id, key]));
      version = current;
    }
    seenAt = now();
  };
  const refresh = () => {
    try {
      read();
      failing = false;
    } catch (error) {
      if (!failing) logger.error({ err: error }, "the keys cannot be read");
      failing = true;
    }
  };
  read();
  const timer = setInterval(refresh, REFRESH_EVERY_MS);
  timer.unref();

  return {
    refresh,
    stop: () => clearInterval(timer),
    verify(text) {
      const parts = parseKeyText(text);
      if (parts === undefined) return undefined;
      if (now() - seenAt > LONGEST_UNSEEN_MS) {
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

function endOf(key: KeyRecord, secretExpiresAt: number | null, now: number): KeyEnd | undefined {
  if (key.revokedAt !== null) return "REVOKED";
  return [key.expiresAt, secretExpiresAt].some((at) => at !== null && at <= now) ? "EXPIRED" : undefined;
}

function accountOf({ id, account, methods, origins, integrator, limit }: KeyRecord): Account {
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
    ...(limit !== null && { limit }),
  };
}
