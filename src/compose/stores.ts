import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import type { Registry } from "prom-client";
import { type Accounts, createAccounts } from "../api/accounts.ts";
import type { TlsFiles } from "../api/connections/listener.ts";
import { parseKeyText } from "../api/keys/key-text.ts";
import { revocableKeys } from "../api/keys/revocable-keys.ts";
import { messageOf } from "../domain/message-of.ts";
import type { SwitchRecord } from "../domain/switches.ts";
import { type Config, ConfigError, ofOption, resolvedOfOption } from "../ops/config.ts";
import type { Logger } from "../ops/logger.ts";
import { addStoreMetrics } from "../ops/store-metrics.ts";
import type { QuoteLog } from "../quoting/record/quote-log.ts";
import { createMemoryLimiter } from "../stores/memory/limiter.ts";
import { openStores, type StoresOptions } from "../stores/open-stores.ts";
import type { SharedMemory } from "../stores/redis/open-fleet.ts";
import type { Stores } from "../stores/stores.ts";
import { configuredChain, configuredTokens, namesChain } from "./chain-setup.ts";
import { recordsOf as makerRecordsOf } from "./makers.ts";
import { guardRecordOf } from "./price-guard.ts";

/**
 * Looks whether a configuration names the node of its chain, which commands that need no node leave out, and at the files
 * that it names.
 * @throws ConfigError when there is no node, or a file cannot be used
 */
export function checkService(config: Config): void {
  if (config.RPC_URL.length === 0 && namesChain(config)) {
    throw new ConfigError([
      "RPC_URL is needed with CHAIN and CHAIN_FILE: without it a devnet is served, not the chain that they name",
    ]);
  }
  if (parseKeyText(config.TRIBUTARY_API_KEY ?? "") !== undefined) {
    // A shell that asked the service with a customer's key still has it in this variable when the service starts there.
    throw new ConfigError([
      "TRIBUTARY_API_KEY is a key that `tributary keys create` made: the service would accept it without its limits, and " +
        "after it is revoked. Unset it here, since it is accepted anyway",
    ]);
  }
  tlsOf(config);
  const record = configuredChain(config);
  configuredTokens(config, record);
  makerRecordsOf(config, record, []);
  guardRecordOf(config);
}

/** @throws ConfigError when a file cannot be read, or they are no certificate and its key */
export function tlsOf({ TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile }: Config): TlsFiles | undefined {
  if (certFile === undefined || keyFile === undefined) return undefined;
  return ofOption("TLS_CERT_FILE, TLS_KEY_FILE", () => {
    const files = { cert: readFileSync(certFile, "utf8"), key: readFileSync(keyFile, "utf8") };
    createSecureContext(files);
    return files;
  });
}

/** Milliseconds that a start waits for a database that is not there yet, since both may be starting. */
const DATABASE_PATIENCE_MS = 30_000;

/** Seconds for which known keys go on when a database cannot be read that is not on this machine. */
const KEY_CACHE_SECONDS = 300;

/** Location of a configuration's stores, with the option that errors name. */
function placeOf(config: Config): StoresOptions & { readonly option: string } {
  const { DATA_DIR: dataDir, KEY_PEPPER: pepper, QUOTES_KEPT: mostQuotes, DATABASE_URL: url } = config;
  const place = { dataDir, pepper, mostQuotes };
  if (url === undefined) return { ...place, option: "DATA_DIR" };
  const settings = { url, connections: config.DATABASE_CONNECTIONS };
  return { ...place, postgres: { settings }, option: "DATABASE_URL" };
}

/** Opens the stores for a command's work, and closes them after it. @throws ConfigError if they cannot be opened */
export async function withStores<T>(config: Config, work: (stores: Stores) => Promise<T>): Promise<T> {
  const { option, ...place } = placeOf(config);
  const stores = await resolvedOfOption(option, () => openStores(place));
  try {
    return await work({
      keys: () => resolvedOfOption(option, stores.keys),
      usage: () => resolvedOfOption(option, stores.usage),
      quotes: () => resolvedOfOption(option, stores.quotes),
      switches: (onFault) => resolvedOfOption(option, () => stores.switches(onFault)),
      waiting: stores.waiting,
      close: stores.close,
    });
  } finally {
    await stores.close();
  }
}

/** Accounts, the operator's switches, and the quotes on record. */
export interface Kept {
  readonly accounts: Accounts;
  readonly switches: SwitchRecord;
  readonly quotes: QuoteLog;
  /** Writes what is not written yet, and closes everything. */
  close(): Promise<void>;
}

/** Opens what a service keeps. @throws ConfigError when it cannot be used */
export async function openKept(parts: {
  readonly config: Config;
  readonly apiKey: string;
  readonly logger: Logger;
  readonly registry: Registry;
  /** Memory shared with the other processes of a fleet. */
  readonly shared?: SharedMemory | undefined;
}): Promise<Kept> {
  const { config, apiKey, logger, registry, shared } = parts;
  const { option, postgres, ...place } = placeOf(config);
  const onOutage = (reason: string | undefined) =>
    reason === undefined
      ? logger.info("what waited on this disk is in the database")
      : logger.error({ reason }, "the database cannot be written: usage and quotes wait on this disk");
  const patient = postgres && { ...postgres, patienceMs: DATABASE_PATIENCE_MS, onOutage };
  return resolvedOfOption(option, async () => {
    const stores = await openStores({ ...place, postgres: patient });
    addStoreMetrics(registry, stores.waiting);
    try {
      const onFault = (error: unknown) =>
        logger.error({ reason: messageOf(error) }, "the switches cannot be read: they stay as they are");
      const [switches, quotes] = [await stores.switches(onFault), await stores.quotes()];
      const accounts = await openAccounts(stores, { presetKey: apiKey, logger, ...limitsOf(config) }, shared);
      const close = () => {
        accounts.stop();
        return stores.close();
      };
      return { accounts, switches, quotes, close };
    } catch (error) {
      await stores.close();
      throw error;
    }
  });
}

/** The accounts of a service; with `shared` their limits and revocations hold in a whole fleet. @throws Error when keys or usage cannot be used */
export async function openAccounts(
  stores: Stores,
  options: Parameters<typeof createAccounts>[1],
  shared?: SharedMemory,
): Promise<Accounts> {
  const [keys, usage] = [await stores.keys(), await stores.usage()];
  const limiter = shared?.limiter ?? createMemoryLimiter();
  const accounts = await createAccounts({ keys, usage, limiter }, options);
  return shared === undefined ? accounts : { ...accounts, keys: revocableKeys(accounts.keys, shared.isRevoked) };
}

function limitsOf(config: Config): Pick<Parameters<typeof createAccounts>[1], "limit" | "keyCacheSeconds"> {
  const { RATE_LIMIT: unitsPerSecond, RATE_BURST: burst, KEY_CACHE_SECONDS: keyCacheSeconds } = config;
  return {
    limit: unitsPerSecond === 0 ? undefined : { unitsPerSecond, burst: burst ?? 2 * unitsPerSecond },
    keyCacheSeconds: keyCacheSeconds ?? (config.DATABASE_URL === undefined ? undefined : KEY_CACHE_SECONDS),
  };
}
