import type { Registry } from "prom-client";
import { addCounters, addGauges } from "./figures.ts";

/** Requests under way and waiting, beside the options that limit them. */
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

/** Figures of the search threads, for the metrics. */
export interface SearchThreadFigures {
  /** SEARCH_THREADS. */
  readonly threads: number;
  readonly busy: number;
  readonly waiting: number;
  readonly restarts: number;
}

const THREAD_GAUGES = {
  threads: ["tributary_search_threads", "Threads that can search; SEARCH_THREADS is how many there should be"],
  busy: ["tributary_search_threads_busy", "Threads that search"],
  waiting: ["tributary_search_threads_waiting", "Prices and quotes that wait for a thread"],
} as const;

const THREAD_COUNTERS = {
  restarts: ["tributary_search_thread_restarts_total", "Threads that ended by themselves and were replaced"],
} as const;

/** Measures the threads that search, asked for with every scrape. */
export function addSearchThreadMetrics(registry: Registry, read: () => SearchThreadFigures): void {
  addGauges(registry, THREAD_GAUGES, read);
  addCounters(registry, THREAD_COUNTERS, read);
}
