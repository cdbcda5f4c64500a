import type { Logger } from "../ops/logger.ts";
import { firstOf } from "./keys/first-of.ts";
import { createKeyCopy } from "./keys/key-copy.ts";
import type { KeyDatabase } from "./keys/key-database.ts";
import type { KeyStore, RateLimit } from "./keys/key-store.ts";
import type { Digest } from "./keys/pepper.ts";
import { createPresetKeys } from "./keys/preset-keys.ts";
import { type ChargeCall, createChargeCall } from "./limits/charge.ts";
import type { Limiter } from "./limits/limiter.ts";
import type { UsageDatabase } from "./usage/usage-database.ts";
import { createUsageMeter, type UsageMeter } from "./usage/usage-meter.ts";

/** Stores of accounts. */
export interface AccountStores {
  readonly keys: { readonly database: KeyDatabase; readonly digest: Digest };
  readonly usage: UsageDatabase;
  readonly limiter: Limiter;
}

/** Accounts, their limits and their usage. */
export interface Accounts {
  readonly keys: KeyStore;
  readonly charge: ChargeCall;
  readonly usage: UsageMeter;
  /** Writes what is not written yet. The stores stay open. */
  stop(): void;
}

/**
 * The accounts of a service: those that are kept, and the one key that is preset.
 * @throws Error when the keys cannot be read
 */
export async function createAccounts(
  stores: AccountStores,
  options: {
    readonly presetKey: string;
    /** The limit of accounts that have none of their own; undefined: none. */
    readonly limit: RateLimit | undefined;
    /** Seconds for which keys that are known go on when they cannot be read. */
    readonly keyCacheSeconds?: number | undefined;
    readonly logger: Logger;
  },
): Promise<Accounts> {
  const { logger, keyCacheSeconds: cacheSeconds } = options;
  const { database, digest } = stores.keys;
  const copy = await createKeyCopy(database, digest, { logger, ...(cacheSeconds !== undefined && { cacheSeconds }) });
  const usage = createUsageMeter(stores.usage, { logger });
  return {
    keys: firstOf(createPresetKeys(options.presetKey), copy),
    charge: createChargeCall(stores.limiter, options.limit),
    usage,
    stop() {
      copy.stop();
      try {
        usage.stop();
      } catch (error) {
        logger.error({ err: error }, "the last usage cannot be written");
      }
    },
  };
}
