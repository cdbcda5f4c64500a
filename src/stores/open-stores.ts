import { join } from "node:path";
import { createDigest, type Digest, pepperFromFile } from "../api/keys/pepper.ts";
import type { UsageDatabase } from "../api/usage/usage-database.ts";
import type { SwitchRecord } from "../domain/switches.ts";
import type { PoolCatalog } from "../market/pool-catalog.ts";
import { DATABASES, PEPPER_FILE } from "../ops/data-folder.ts";
import type { QuoteLog } from "../quoting/record/quote-log.ts";
import { openPostgres, type PostgresOptions } from "./postgres/open-postgres.ts";
import { openKeyDatabase } from "./sqlite/key-database.ts";
import { openPoolCatalog } from "./sqlite/open-pool-catalog.ts";
import { openPassingPoolCatalog } from "./sqlite/pool-catalog.ts";
import { openQuoteLog } from "./sqlite/quote-log.ts";
import { openSwitchRecord } from "./sqlite/switch-record.ts";
import { openUsageDatabase } from "./sqlite/usage-database.ts";
import type { KeptKeys, Stores } from "./stores.ts";

/** Location of the keys, and the pepper of their digests. */
export interface KeyStoreOptions {
  readonly dataDir: string;
  /** Undefined: the one in a file beside the keys. */
  readonly pepper: string | undefined;
}

/** Location of all stores: a folder of files, or a database beside it. */
export interface StoresOptions extends KeyStoreOptions {
  /** Quotes that are kept; older ones are dropped. */
  readonly mostQuotes?: number;
  /** Undefined: all is in files. */
  readonly postgres?: Pick<PostgresOptions, "settings" | "patienceMs" | "onOutage"> | undefined;
}

/** @throws Error when the file or the database cannot be used */
export async function openStores(place: StoresOptions): Promise<Stores> {
  const { dataDir, pepper, mostQuotes, postgres } = place;
  if (postgres === undefined) return storesInFiles(place);
  return openPostgres({
    ...postgres,
    outboxFile: join(dataDir, DATABASES.outbox),
    digest: () => digestOf({ dataDir, pepper }),
    mostQuotes,
  });
}

function storesInFiles(place: StoresOptions): Stores {
  const { dataDir, mostQuotes } = place;
  const opened: { close(): void }[] = [];
  const owned = <S extends { close(): void }>(store: S): S => {
    opened.push(store);
    return store;
  };
  return {
    async keys() {
      const keys = openKeys(place);
      owned(keys.database);
      return keys;
    },
    usage: async () => owned(openUsage(dataDir)),
    quotes: async () => owned(openQuotes(dataDir, mostQuotes)),
    switches: async (onFault) => owned(openSwitches(dataDir, onFault)),
    waiting: () => undefined,
    async close() {
      for (const store of opened.splice(0)) store.close();
    },
  };
}

/** @throws Error when the file cannot be used, or its keys were made with another pepper */
export function openKeys(place: KeyStoreOptions): KeptKeys {
  const digest = digestOf(place);
  return { database: openKeyDatabase(join(place.dataDir, DATABASES.keys), digest), digest };
}

function digestOf({ dataDir, pepper }: KeyStoreOptions): Digest {
  return createDigest(pepper ?? pepperFromFile(join(dataDir, PEPPER_FILE)));
}

/** @throws Error when the file cannot be used */
export function openUsage(dataDir: string): UsageDatabase {
  return openUsageDatabase(join(dataDir, DATABASES.usage));
}

/** The quotes that were given out, in the operator's data folder. @throws Error when the file cannot be used */
export function openQuotes(dataDir: string, most?: number): QuoteLog {
  return openQuoteLog(join(dataDir, DATABASES.quotes), most);
}

/** Opens the operator's switches in the data folder. @throws Error if the file cannot be used */
export function openSwitches(dataDir: string, onFault?: (error: unknown) => void): SwitchRecord {
  return openSwitchRecord(join(dataDir, DATABASES.switches), onFault === undefined ? {} : { onFault });
}

/**
 * The pools of a chain that are known and not followed, in that folder too; in a file that ends with the process without one.
 * @param onLost takes why a file was thrown away
 * @throws CatalogFault where none can be kept
 */
export function openCatalog(
  dataDir: string | undefined,
  chainId: number,
  onLost: (error: unknown) => void,
): PoolCatalog {
  if (dataDir === undefined) return openPassingPoolCatalog();
  return openPoolCatalog(join(dataDir, `pools-${chainId}.sqlite`), onLost);
}
