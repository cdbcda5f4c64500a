import { join } from "node:path";
import { DATABASES } from "./data-folder.ts";
import { openQuoteLog, type QuoteLog } from "./quote-log.ts";
import { openSwitchRecord, type SwitchRecord } from "./switch-record.ts";

/** The quotes that were given out, in the operator's data folder. @throws Error when the file cannot be used */
export function openQuotes(dataDir: string): QuoteLog {
  return openQuoteLog(join(dataDir, DATABASES.quotes));
}

/** What the operator has switched off, in the same folder. @throws Error when the file cannot be used */
export function openSwitches(dataDir: string, onFault?: (error: unknown) => void): SwitchRecord {
  return openSwitchRecord(join(dataDir, DATABASES.switches), onFault === undefined ? {} : { onFault });
}
