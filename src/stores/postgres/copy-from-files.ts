import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Digest } from "../../api/keys/pepper.ts";
import type { UsageDatabase, UsageRow } from "../../api/usage/usage-database.ts";
import { DATABASES } from "../../ops/data-folder.ts";
import { openKeyDatabase } from "../sqlite/key-database.ts";
import { quotesIn } from "../sqlite/quote-log.ts";
import { checkUnused } from "../sqlite/restore.ts";
import { openSwitchRecord } from "../sqlite/switch-record.ts";
import { openUsageDatabase } from "../sqlite/usage-database.ts";
import type { Database, Query } from "./database.ts";
import { checkPepper, copyKeys } from "./key-database.ts";
import { addQuotes } from "./quote-log.ts";
import { addEvent } from "./switch-record.ts";
import { addUsage } from "./usage-database.ts";

/** Rows that go out in one statement. */
const ROWS_AT_A_TIME = 5_000;
const QUOTES_AT_A_TIME = 200;

const SECONDS_PER_DAY = 86_400;

/** Later than any minute. */
const FOR_EVER = 2 ** 40;

/** Counts of copied records. */
export interface Copied {
  readonly keys: number;
  /** Rows: one per minute, key, method and outcome. */
  readonly usage: number;
  readonly quotes: number;
  readonly switches: number;
}

/**
 * Copies what the files of a data folder hold into a database whose tables are empty, all of it or nothing. The files stay as
 * they are.
 * @throws Error when a process has the files open, the keys were made with another pepper, or the database holds something
 */
export async function copyFromFiles(database: Database, dataDir: string, digest: Digest): Promise<Copied> {
  const files = Object.fromEntries(Object.entries(DATABASES).map(([kind, name]) => [kind, join(dataDir, name)]));
  const { keys = "", usage = "", quotes = "", switches = "" } = files;
  if (![keys, usage, quotes, switches].some(existsSync)) {
    throw new Error(`${dataDir} holds no databases: name the DATA_DIR of the service that is to move`);
  }
  checkUnused(dataDir);
  return database.transaction(async (query) => {
    await checkEmpty(query);
    return {
      keys: existsSync(keys) ? await copyKeysOf(query, keys, digest) : 0,
      usage: existsSync(usage) ? await copyUsageOf(query, usage) : 0,
      quotes: existsSync(quotes) ? await copyQuotesOf(query, quotes) : 0,
      switches: existsSync(switches) ? await copySwitchesOf(query, switches) : 0,
    };
  });
}

/** Usage that is added to usage might be the same: nobody could tell afterwards. */
async function checkEmpty(query: Query): Promise<void> {
  for (const table of ["keys", "usage", "quotes", "switches"]) {
    await query(`LOCK TABLE tributary.${table} IN SHARE ROW EXCLUSIVE MODE`);
    const rows = await query(`SELECT 1 FROM tributary.${table} LIMIT 1`);
    if (rows.length === 0) continue;
    throw new Error(`the table ${table} is not empty: files are copied into a new database only`);
  }
}

async function copyKeysOf(query: Query, file: string, digest: Digest): Promise<number> {
  const database = openKeyDatabase(file, digest);
  try {
    await checkPepper(query, digest);
    const records = await database.list();
    await copyKeys(query, records);
    return records.length;
  } finally {
    database.close();
  }
}

async function copyUsageOf(query: Query, file: string): Promise<number> {
  const database = openUsageDatabase(file);
  let count = 0;
  try {
    for (const rows of await days(database)) {
      const of = await rows();
      for (let at = 0; at < of.length; at += ROWS_AT_A_TIME) await addUsage(query, of.slice(at, at + ROWS_AT_A_TIME));
      count += of.length;
    }
    return count;
  } finally {
    database.close();
  }
}

/** Readers of usage rows, one per day with any: years of rows do not fit into memory. */
async function days(database: UsageDatabase): Promise<readonly (() => Promise<readonly UsageRow[]>)[]> {
  const sums = await database.read({ from: 0, until: FOR_EVER, spanSeconds: SECONDS_PER_DAY });
  const starts = [...new Set(sums.map(({ minute }) => minute))];
  return starts.map((from) => () => database.read({ from, until: from + SECONDS_PER_DAY }));
}

async function copyQuotesOf(query: Query, file: string): Promise<number> {
  const writer = randomUUID();
  let number = 0;
  for (const quotes of quotesIn(file, QUOTES_AT_A_TIME)) {
    await addQuotes(
      query,
      quotes.map((quote) => {
        number += 1;
        return { ...quote, writer, number };
      }),
    );
  }
  return number;
}

async function copySwitchesOf(query: Query, file: string): Promise<number> {
  const record = openSwitchRecord(file);
  try {
    const events = await record.history();
    for (const event of events) await addEvent(query, event);
    return events.length;
  } finally {
    record.close();
  }
}
