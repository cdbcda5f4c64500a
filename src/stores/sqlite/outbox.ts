import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import type { UsageRow } from "../../api/usage/usage-database.ts";
import type { LoggedQuote } from "../../domain/terms/logged-quote.ts";
import { MAX_QUOTES } from "../../quoting/record/quote-log.ts";
import { quoteText } from "../quote-text.ts";
import { openDatabase, transaction } from "./database.ts";
import { type KeptQuote, keptQuoteOf } from "./quote-log.ts";

const VERSIONS = [
  `CREATE TABLE counted (
     minute INTEGER NOT NULL,
     key_id TEXT NOT NULL,
     method TEXT NOT NULL,
     outcome TEXT NOT NULL,
     requests INTEGER NOT NULL,
     units INTEGER NOT NULL,
     PRIMARY KEY (minute, key_id, method, outcome)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE batches (
     number INTEGER PRIMARY KEY AUTOINCREMENT,
     writer TEXT NOT NULL,
     rows TEXT NOT NULL
   ) STRICT;
   CREATE TABLE quotes (
     number INTEGER PRIMARY KEY AUTOINCREMENT,
     writer TEXT NOT NULL,
     request_id TEXT NOT NULL,
     at INTEGER NOT NULL,
     block_hash TEXT NOT NULL,
     calldata_hash TEXT NOT NULL,
     quote TEXT NOT NULL
   ) STRICT;`,
];

/** Rows of usage that go out together. */
const ROWS_OF_A_BATCH = 5_000;

/** Rows of usage that wait at most: about 50 MB. Beyond that minutes are added up to hours, and hours to days. */
const MAX_ROWS = 500_000;

/** Spans that waiting rows are added up over when there are too many, seconds. */
const COARSER_SPANS = [3_600, 86_400];

/** Additions between two looks whether there are too many. */
const LOOK_EVERY = 100;

/** Quotes recorded between two looks whether there are too many. */
const TRIM_EVERY = 1_000;

/** Usage that is sent as one, and counted once however often it is sent: its writer and number name it for good. */
export interface UsageBatch {
  readonly writer: string;
  /** Grows from batch to batch of a writer. */
  readonly number: number;
  readonly rows: readonly UsageRow[];
}

/** A quote on its way, with the name that it is recorded once by. */
export interface WaitingQuote extends KeptQuote {
  readonly writer: string;
  readonly number: number;
}

/**
 * Writes on disk that wait for a database elsewhere. They survive the end of the process; usage also survives a loss of
 * power. The first waiting write creates the file. Several processes may share it. Each opening writes under a name of
 * its own, so that a copied file that is sent as well brings nothing twice.
 */
export class Outbox {
  readonly #file: string;
  readonly #mostRows: number;
  readonly #mostQuotes: number;
  readonly #writer = randomUUID();
  #opened: DatabaseSync | undefined;
  #closed = false;
  #untilLook = LOOK_EVERY;
  #untilTrim = TRIM_EVERY;

  /** Keeps the newest `mostQuotes` quotes: no more of them are kept anywhere. */
  constructor(file: string, options: { readonly mostRows?: number; readonly mostQuotes?: number } = {}) {
    const { mostRows = MAX_ROWS, mostQuotes = MAX_QUOTES } = options;
    this.#file = file;
    this.#mostRows = mostRows;
    this.#mostQuotes = mostQuotes;
  }

  /** Adds usage: all rows or none of them, on the disk when the call returns. @throws Error when the file cannot be used */
  count(rows: readonly UsageRow[]): void {
    if (rows.length === 0) return;
    const database = this.#open();
    // A quote waits for no disk, a bill does.
    database.exec("PRAGMA synchronous = FULL");
    try {
      transaction(database, () => addRows(database, rows));
    } finally {
      database.exec("PRAGMA synchronous = NORMAL");
    }
    this.#untilLook -= 1;
    if (this.#untilLook > 0) return;
    this.#untilLook = LOOK_EVERY;
    for (const span of COARSER_SPANS) if (this.sizes().rows > this.#mostRows) mergeRows(database, span);
  }

  /** Adds a quote; it is in the file when the call returns. @throws Error when the file cannot be used */
  record(quote: LoggedQuote): void {
    const database = this.#open();
    database
      .prepare(
        "INSERT INTO quotes (writer, request_id, at, block_hash, calldata_hash, quote) VALUES (?, ?, ?, ?, ?, ?)",
      )
      .run(this.#writer, quote.requestId, quote.at, quote.block.hash, quote.calldataHash, quoteText(quote));
    this.#untilTrim -= 1;
    if (this.#untilTrim > 0) return;
    this.#untilTrim = TRIM_EVERY;
    database.prepare("DELETE FROM quotes WHERE number <= (SELECT max(number) FROM quotes) - ?").run(this.#mostQuotes);
  }

  /**
   * The usage to send next; undefined when none waits. What is in a batch grows no more: the next call answers the same one
   * until it is dropped.
   */
  nextBatch(): UsageBatch | undefined {
    const database = this.#existing();
    if (database === undefined) return undefined;
    return transaction(database, () => oldestBatch(database) ?? this.#seal(database));
  }

  /** Takes away a batch that has arrived. */
  dropBatch({ number }: Pick<UsageBatch, "number">): void {
    this.#existing()?.prepare("DELETE FROM batches WHERE number = ?").run(number);
  }

  /** The oldest quotes that wait. */
  nextQuotes(most: number): readonly WaitingQuote[] {
    const rows = this.#existing()?.prepare("SELECT * FROM quotes ORDER BY number LIMIT ?").all(most) ?? [];
    return rows.map((row) => ({ ...keptQuoteOf(row), writer: String(row.writer), number: Number(row.number) }));
  }

  /** Takes away the quotes up to this number, which have arrived. */
  dropQuotes(number: number): void {
    this.#existing()?.prepare("DELETE FROM quotes WHERE number <= ?").run(number);
  }

  /** Counts of waiting usage rows, without those of a batch under way, and of waiting quotes. */
  sizes(): { readonly rows: number; readonly quotes: number } {
    const counts = this.#existing()
      ?.prepare("SELECT (SELECT count(*) FROM counted) AS rows, (SELECT count(*) FROM quotes) AS quotes")
      .get();
    return { rows: Number(counts?.rows ?? 0), quotes: Number(counts?.quotes ?? 0) };
  }

  close(): void {
    this.#opened?.close();
    this.#opened = undefined;
    this.#closed = true;
  }

  /** Makes a batch of the oldest rows. */
  #seal(database: DatabaseSync): UsageBatch | undefined {
    const rows = database
      .prepare(
        `DELETE FROM counted WHERE (minute, key_id, method, outcome) IN
           (SELECT minute, key_id, method, outcome FROM counted ORDER BY minute, key_id, method, outcome LIMIT ?)
         RETURNING minute, key_id AS keyId, method, outcome, requests, units`,
      )
      .all(ROWS_OF_A_BATCH);
    if (rows.length === 0) return undefined;
    database.prepare("INSERT INTO batches (writer, rows) VALUES (?, ?)").run(this.#writer, JSON.stringify(rows));
    return oldestBatch(database);
  }

  #open(): DatabaseSync {
    if (this.#opened !== undefined) return this.#opened;
    if (this.#closed) throw new Error(`${this.#file} is closed`);
    this.#opened = openDatabase(this.#file, VERSIONS);
    this.#opened.exec("PRAGMA synchronous = NORMAL");
    return this.#opened;
  }

  #existing(): DatabaseSync | undefined {
    return this.#opened !== undefined || (!this.#closed && existsSync(this.#file)) ? this.#open() : undefined;
  }
}

function oldestBatch(database: DatabaseSync): UsageBatch | undefined {
  const row = database.prepare("SELECT number, writer, rows FROM batches ORDER BY number LIMIT 1").get();
  if (row === undefined) return undefined;
  return { number: Number(row.number), writer: String(row.writer), rows: JSON.parse(String(row.rows)) };
}

function addRows(database: DatabaseSync, rows: readonly UsageRow[]): void {
  const insert = database.prepare(
    `INSERT INTO counted (minute, key_id, method, outcome, requests, units) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET requests = requests + excluded.requests, units = units + excluded.units`,
  );
  for (const { minute, keyId, method, outcome, requests, units } of rows) {
    insert.run(minute, keyId, method, outcome, requests, units);
  }
}

/** Adds rows up over spans: the moment of a call is lost, and no call is. */
function mergeRows(database: DatabaseSync, span: number): void {
  transaction(database, () => {
    database
      .prepare(
        `INSERT INTO counted (minute, key_id, method, outcome, requests, units)
         SELECT minute - minute % :span AS start, key_id, method, outcome, sum(requests), sum(units)
         FROM counted WHERE minute % :span <> 0 GROUP BY start, key_id, method, outcome
         ON CONFLICT DO UPDATE SET requests = requests + excluded.requests, units = units + excluded.units`,
      )
      .run({ span });
    database.prepare("DELETE FROM counted WHERE minute % ? <> 0").run(span);
  });
}
