import type { QuoteLog } from "../../quoting/record/quote-log.ts";
import { quoteOf } from "../quote-text.ts";
import type { Outbox, WaitingQuote } from "../sqlite/outbox.ts";
import type { Database, Query } from "./database.ts";
import type { Delivery } from "./delivery.ts";

/** Quotes that are taken away at a time: the statement has to end in time. */
const TRIMMED_AT_A_TIME = 5_000;

/** Quotes in PostgreSQL, of all replicas. One that is recorded is on this machine's disk at once and goes out from there. */
export function openQuoteLog(database: Database, outbox: Outbox, delivery: Delivery): QuoteLog {
  return {
    record: (quote) => outbox.record(quote),
    async find(requestId) {
      await delivery.flush();
      const rows = await database.query("SELECT quote FROM tributary.quotes WHERE request_id = $1 ORDER BY number", [
        requestId,
      ]);
      return rows.map((row) => quoteOf(String(row.quote)));
    },
    close() {},
  };
}

/** Records quotes in their order, but those that have been recorded before. */
export async function addQuotes(query: Query, quotes: readonly WaitingQuote[]): Promise<void> {
  await query(
    `INSERT INTO tributary.quotes (writer, writer_number, request_id, at, block_hash, calldata_hash, quote)
     SELECT writer, writer_number, request_id, at, block_hash, calldata_hash, quote
     FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[])
       WITH ORDINALITY AS added (writer, writer_number, request_id, at, block_hash, calldata_hash, quote, place)
     ORDER BY place
     ON CONFLICT (writer, writer_number) DO NOTHING`,
    [
      quotes.map(({ writer }) => writer),
      quotes.map(({ number }) => number),
      quotes.map(({ requestId }) => requestId),
      quotes.map(({ at }) => at),
      quotes.map(({ blockHash }) => blockHash),
      quotes.map(({ calldataHash }) => calldataHash),
      quotes.map(({ quote }) => quote),
    ],
  );
}

/** Takes away the oldest quotes beyond the newest `most`, so many at a time. */
export async function trimQuotes(database: Database, most: number): Promise<void> {
  await database.query(
    `DELETE FROM tributary.quotes WHERE number IN
       (SELECT number FROM tributary.quotes
        WHERE number <= (SELECT max(number) FROM tributary.quotes) - $1::bigint ORDER BY number LIMIT $2)`,
    [most, TRIMMED_AT_A_TIME],
  );
}
