import { join } from "node:path";
import { DATABASES, PEPPER_FILE } from "../ops/data-folder.ts";
import type { Logger } from "../ops/logger.ts";
import { firstOf } from "./keys/first-of.ts";
import { createKeyCopy } from "./keys/key-copy.ts";
import { type KeyDatabase, openKeyDatabase } from "./keys/key-database.ts";
import type { KeyStore, RateLimit } from "./keys/key-store.ts";
import { createDigest, type Digest, pepperFromFile } from "./keys/pepper.ts";
import { createPresetKeys } from "./keys/preset-keys.ts";
import { type ChargeCall, createChargeCall } from "./limits/charge.ts";
import { createMemoryLimiter } from "./limits/limiter.ts";
import { openUsageDatabase, type UsageDatabase } from "./usage/usage-database.ts";
import { createUsageMeter, type UsageMeter } from "./usage/usage-meter.ts";

/** Where keys and usage are kept. */
export interface AccountPlace {
  readonly dataDir: string;
  /** Undefined: the one in a file beside the keys. */
  readonly pepper: string | undefined;
}

/** Who may call, how often, and how often they did. */
export interface Accounts {
  readonly keys: KeyStore;
  readonly charge: ChargeCall;
  readonly usage: UsageMeter;
  /** Writes what is not written yet. */
  stop(): void;
}

/** @throws Error when the file cannot be used, or its keys were made with another pepper */
export function openKeys({ dataDir, pepper }: AccountPlace): {
  readonly database: KeyDatabase;
  readonly digest: Digest;
} {
  const digest = createDigest(pepper ?? pepperFromFile(join(dataDir, PEPPER_FILE)));
  return { database: openKeyDatabase(join(dataDir, DATABASES.keys), digest), digest };
}

/** @throws Error when the file cannot be used */
export function openUsage(dataDir: string): UsageDatabase {
  return openUsageDatabase(join(dataDir, DATABASES.usage));
}

/**
 * The accounts of a service: those in the database, and the one key that is preset.
 * @throws Error when a file cannot be used
 */
export function openAccounts(
  options: AccountPlace & {
    readonly presetKey: string;
    /** The limit of accounts that have none of their own; undefined: none. */
    readonly limit: RateLimit | undefined;
    readonly logger: Logger;
  },
): Accounts {
  const { logger } = options;
  const { database, digest } = openKeys(options);
  const copy = createKeyCopy(database, digest, { logger });
  const usageDatabase = openUsage(options.dataDir);
  const usage = createUsageMeter(usageDatabase, { logger });
  return {
    keys: firstOf(createPresetKeys(options.presetKey), copy),
    charge: createChargeCall(createMemoryLimiter(), options.limit),
    usage,
    stop() {
      copy.stop();
      database.close();
      try {
        usage.stop();
      } catch (error) {
        logger.error({ err: error }, "the last usage cannot be written");
      }
      usageDatabase.close();
    },
  };
}
