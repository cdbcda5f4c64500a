import type { Registry } from "prom-client";
import { addGauges } from "./figures.ts";

/** Counts of writes on this machine's disk that wait for DATABASE_URL. */
interface WaitingFigures {
  readonly rows: number;
  readonly quotes: number;
  readonly isReached: boolean;
}

const GAUGES = {
  rows: ["tributary_outbox_usage_rows", "Rows of usage that wait on this machine's disk for DATABASE_URL"],
  quotes: ["tributary_outbox_quotes", "Quotes on record that wait on this machine's disk for DATABASE_URL"],
  reached: [
    "tributary_database_reached",
    "0 when DATABASE_URL did not take what waits for it; else 1, also where everything is kept in files",
  ],
} as const;

/** Figures without a database: nothing waits. */
const NOTHING: WaitingFigures = { rows: 0, quotes: 0, isReached: true };

/** Measures what waits for the database, asked for with every scrape. */
export function addStoreMetrics(registry: Registry, read: () => WaitingFigures | undefined): void {
  addGauges(registry, GAUGES, () => {
    const { rows, quotes, isReached } = read() ?? NOTHING;
    return { rows, quotes, reached: Number(isReached) };
  });
}
