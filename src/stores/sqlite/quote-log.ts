import type { LoggedQuote } from "../../domain/terms/logged-quote.ts";
import { MOST_QUOTES, type QuoteLog } from "../../quoting/record/quote-log.ts";
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
export function openQuoteLog(file: string, most: number = MOST_QUOTES): QuoteLog {
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
      insert.run(quote.requestId, quote.at, quote.block.hash, quote.calldataHash, textOf(quote));
      untilTrim -= 1;
      if (untilTrim > 0) return;
      untilTrim = TRIM_EVERY;
      trim.run(most);
    },
    find: (requestId) => select.all(requestId).map((row) => quoteOf(String(row.quote))),
    close: () => database.close(),
  };
}

const BIGINT = /^-?\d+n$/;

/** Bigints as "123n": no other text of a quote has that form. */
function textOf(quote: LoggedQuote): string {
  return JSON.stringify(quote, (_, value: unknown) => (typeof value === "bigint" ? `${value}n` : value));
}

function quoteOf(text: string): LoggedQuote {
  const read = (key: string, value: unknown) =>
    typeof value === "string" && key !== "requestId" && BIGINT.test(value) ? BigInt(value.slice(0, -1)) : value;
  const quote = JSON.parse(text, read) as LoggedQuote;
  // JSON leaves out what is undefined, and records from before there were makers have no orders of theirs.
  const { makerOrders = [] } = quote as Partial<Pick<LoggedQuote, "makerOrders">>;
  return { ...quote, taker: quote.taker, terms: { ...quote.terms, fee: quote.terms.fee }, makerOrders };
}
