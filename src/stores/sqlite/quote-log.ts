import type { SQLOutputValue } from "node:sqlite";
import { MAX_QUOTES, type QuoteLog } from "../../quoting/record/quote-log.ts";
import { quoteOf, quoteText } from "../quote-text.ts";
import { openDatabase } from "./database.ts";

const VERSIONS = [
  `CREATE TABLE quotes (
     number INTEGER PRIMARY KEY,
     request_id TEXT NOT NULL,
     at INTEGER NOT NULL,
     block_hash TEXT NOT NULL,
     calldata_hash TEXT NOT NULL,
     quote TEXT NOT NULL
   ) STRICT;
   CREATE INDEX quotes_by_request ON quotes (request_id);`,
];

/** Quotes between two looks whether there are too many; another is when the file is opened. */
const TRIM_EVERY = 1_000;

/**
 * The quotes in a file. A quote that was recorded survives the end of the process, though not a loss of power in the
 * same moment: waiting for the disk would hold up everybody's quotes.
 * @throws Error when the file cannot be used
 */
export function openQuoteLog(file: string, most: number = MAX_QUOTES): QuoteLog {
  const database = openDatabase(file, VERSIONS);
  database.exec("PRAGMA synchronous = NORMAL");
  const insert = database.prepare(
    "INSERT INTO quotes (request_id, at, block_hash, calldata_hash, quote) VALUES (?, ?, ?, ?, ?)",
  );
  const trim = database.prepare("DELETE FROM quotes WHERE number <= (SELECT max(number) FROM quotes) - ?");
  const select = database.prepare("SELECT quote FROM quotes WHERE request_id = ? ORDER BY number");
  let untilTrim = TRIM_EVERY;
  trim.run(most);
  return {
    record(quote) {
      insert.run(quote.requestId, quote.at, quote.block.hash, quote.calldataHash, quoteText(quote));
      untilTrim -= 1;
      if (untilTrim > 0) return;
      untilTrim = TRIM_EVERY;
      trim.run(most);
    },
    find: async (requestId) => select.all(requestId).map((row) => quoteOf(String(row.quote))),
    close: () => database.close(),
  };
}

/** A quote as it is kept. */
export interface KeptQuote {
  readonly requestId: string;
  readonly at: number;
  readonly blockHash: string;
  readonly calldataHash: string;
  /** As `quoteText` writes it. */
  readonly quote: string;
}

/** All quotes of a file, oldest first, so many at a time. @throws Error when the file cannot be used */
export function* quotesIn(file: string, atATime: number): Generator<readonly KeptQuote[]> {
  const database = openDatabase(file, VERSIONS);
  try {
    const select = database.prepare(
      `SELECT number, request_id, at, block_hash, calldata_hash, quote FROM quotes
       WHERE number > ? ORDER BY number LIMIT ?`,
    );
    for (let after: number | undefined = 0; after !== undefined; ) {
      const rows: readonly Readonly<Record<string, SQLOutputValue>>[] = select.all(after, atATime);
      if (rows.length > 0) yield rows.map(keptQuoteOf);
      after = rows.length < atATime ? undefined : Number(rows.at(-1)!.number);
    }
  } finally {
    database.close();
  }
}

/** A row of quotes. */
export function keptQuoteOf(row: Readonly<Record<string, SQLOutputValue>>): KeptQuote {
  return {
    requestId: String(row.request_id),
    at: Number(row.at),
    blockHash: String(row.block_hash),
    calldataHash: String(row.calldata_hash),
    quote: String(row.quote),
  };
}
