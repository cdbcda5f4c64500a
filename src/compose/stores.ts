import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { type Accounts, createAccounts } from "../api/accounts.ts";
import type { TlsFiles } from "../api/connections/listener.ts";
import { revocableKeys } from "../api/keys/revocable-keys.ts";
import { type Config, ConfigError, ofOption } from "../ops/config.ts";
import type { Logger } from "../ops/logger.ts";
import { createMemoryLimiter } from "../stores/memory/limiter.ts";
import { type KeyPlace, openKeys, openQuotes, openSwitches, openUsage } from "../stores/open-stores.ts";
import type { SharedMemory } from "../stores/redis/open-fleet.ts";
import { recordsOf as makerRecordsOf } from "./makers.ts";
import { configuredChain, configuredTokens, namesChain } from "./place.ts";

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
  tlsOf(config);
  const record = configuredChain(config);
  configuredTokens(config, record);
  makerRecordsOf(config, record, []);
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

/** What the operator has switched off, and the quotes that were given out. @throws ConfigError */
export function operatorFilesOf({ DATA_DIR: dataDir }: Config, logger: Logger) {
  return ofOption("DATA_DIR", () => {
    const onFault = (error: unknown) =>
      logger.error({ err: error }, "the switches cannot be read: they stay as they are");
    const switches = openSwitches(dataDir, onFault);
    const quotes = openQuotes(dataDir);
    return {
      switches,
      quotes,
      close() {
        switches.close();
        quotes.close();
      },
    };
  });
}

/**
 * The accounts of a service whose keys and usage are in its data folder.
 * @throws Error when a file cannot be used
 */
export function openAccounts(
  place: KeyPlace,
  options: Parameters<typeof createAccounts>[1],
  shared?: SharedMemory,
): Accounts {
  const limiter = shared?.limiter ?? createMemoryLimiter();
  const accounts = createAccounts({ keys: openKeys(place), usage: openUsage(place.dataDir), limiter }, options);
  return shared === undefined ? accounts : { ...accounts, keys: revocableKeys(accounts.keys, shared.isRevoked) };
}

/** @throws ConfigError when what is kept in DATA_DIR cannot be used */
export function accountsOf(config: Config, presetKey: string, logger: Logger, shared?: SharedMemory): Accounts {
  const { DATA_DIR: dataDir, KEY_PEPPER: pepper, RATE_LIMIT: unitsPerSecond, RATE_BURST: burst } = config;
  const limit = unitsPerSecond === 0 ? undefined : { unitsPerSecond, burst: burst ?? 2 * unitsPerSecond };
  return ofOption("DATA_DIR", () => openAccounts({ dataDir, pepper }, { presetKey, limit, logger }, shared));
}
