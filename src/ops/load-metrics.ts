import type { Registry } from "prom-client";
import { addGauges } from "./gauges.ts";

/** How much is being asked for, beside the options that bound it. */
export interface LoadFigures {
  /** MAX_SEARCHES. */
  readonly running: number;
  /** MAX_WAITING. */
  readonly waiting: number;
  /** MAX_WATCHES. */
  readonly watches: number;
  /** MAX_WATCHED_REQUESTS. */
  readonly watchedRequests: number;
}

const GAUGES: Readonly<Record<keyof LoadFigures, readonly [name: string, help: string]>> = {
  running: ["tributary_api_searches_running", "Prices and quotes that are worked on; MAX_SEARCHES bounds them"],
  waiting: ["tributary_api_searches_waiting", "Prices and quotes that wait for their turn; MAX_WAITING bounds them"],
  watches: ["tributary_api_watches", "Streams of prices that are open; MAX_WATCHES bounds them"],
  watchedRequests: [
    "tributary_api_watched_requests",
    "Different requests among the streams of prices; MAX_WATCHED_REQUESTS bounds them",
  ],
};

/** Measures the load, asked for with every scrape. */
export function addLoadMetrics(registry: Registry, read: () => LoadFigures): void {
  addGauges(registry, GAUGES, read);
}
