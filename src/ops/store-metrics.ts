import type { Registry } from "prom-client";
import { addGauges } from "./figures.ts";

/** What waits on this machine's disk for DATABASE_URL. */
interface WaitingFigures {
  readonly rows: number;
  readonly quotes: number;
  readonly isReached: boolean;
}

const GAUGES = {
  rows: ["tributary_outbox_usage_rows", "Rows of usage that wait on this machine's disk for DATABASE_URL"],
  quotes: ["tributary_outbox_quotes", "Quotes on record that wait on this machine's disk for DATABASE_URL"],
  reached: ["tributary_database_reached", "1 when DATABASE_URL took the last of what waited for it, 0 when it did not"],
} as const;

/** Measures what waits for the database, asked for with every scrape; nothing where everything is kept in files. */
export function addStoreMetrics(registry: Registry, read: () => WaitingFigures | undefined): void {
  if (read() === undefined) return;
  addGauges(registry, GAUGES, () => {
    const { rows, quotes, isReached } = read() ?? { rows: 0, quotes: 0, isReached: true };
    return { rows, quotes, reached: Number(isReached) };
  });
}
