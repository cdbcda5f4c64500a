import { join } from "node:path";
import type { KeyDatabase } from "../api/keys/key-database.ts";
import { createDigest, type Digest, pepperFromFile } from "../api/keys/pepper.ts";
import type { UsageDatabase } from "../api/usage/usage-database.ts";
import type { SwitchRecord } from "../domain/switches.ts";
import { DATABASES, PEPPER_FILE } from "../ops/data-folder.ts";
import type { QuoteLog } from "../quoting/record/quote-log.ts";
import { openKeyDatabase } from "./sqlite/key-database.ts";
import { openQuoteLog } from "./sqlite/quote-log.ts";
import { openSwitchRecord } from "./sqlite/switch-record.ts";
import { openUsageDatabase } from "./sqlite/usage-database.ts";

/** Where keys are kept, and what their digests are made with. */
export interface KeyPlace {
  readonly dataDir: string;
  /** Undefined: the one in a file beside the keys. */
  readonly pepper: string | undefined;
}

/** @throws Error when the file cannot be used, or its keys were made with another pepper */
export function openKeys({ dataDir, pepper }: KeyPlace): { readonly database: KeyDatabase; readonly digest: Digest } {
  const digest = createDigest(pepper ?? pepperFromFile(join(dataDir, PEPPER_FILE)));
  return { database: openKeyDatabase(join(dataDir, DATABASES.keys), digest), digest };
}

/** @throws Error when the file cannot be used */
export function openUsage(dataDir: string): UsageDatabase {
  return openUsageDatabase(join(dataDir, DATABASES.usage));
}

/** The quotes that were given out, in the operator's data folder. @throws Error when the file cannot be used */
export function openQuotes(dataDir: string): QuoteLog {
  return openQuoteLog(join(dataDir, DATABASES.quotes));
}

/** What the operator has switched off, in that folder too. @throws Error when the file cannot be used */
export function openSwitches(dataDir: string, onFault?: (error: unknown) => void): SwitchRecord {
  return openSwitchRecord(join(dataDir, DATABASES.switches), onFault === undefined ? {} : { onFault });
}
