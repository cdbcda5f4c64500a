import { availableParallelism } from "node:os";
import type { Registry } from "prom-client";
import type { Feed } from "../market/feed/feed.ts";
import type { MarketRules } from "../market/feed/feed-state.ts";
import type { Config } from "../ops/config.ts";
import { addSearchThreadMetrics } from "../ops/load-metrics.ts";
import type { Logger } from "../ops/logger.ts";
import { SearchPool } from "../threads/search-pool.ts";

/** How many threads search: all cores but the one that answers and follows the chain, unless the operator says otherwise. */
export function searchThreadsOf({
  SEARCH_THREADS: threads,
  ROLE: role,
}: Pick<Config, "SEARCH_THREADS" | "ROLE">): number {
  return threads ?? (role === "follow" ? 0 : availableParallelism() - 1);
}

/** Threads that follow a feed of the market and search it. */
export function startSearchThreads(parts: {
  readonly threads: number;
  readonly feed: Feed;
  readonly rules: () => MarketRules;
  readonly registry: Registry;
  readonly logger: Logger;
}): SearchPool {
  const { registry, ...options } = parts;
  const pool = new SearchPool({ ...options, entry: new URL("worker.ts", import.meta.url), now: Date.now });
  addSearchThreadMetrics(registry, () => pool.figures());
  return pool;
}
