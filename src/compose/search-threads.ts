import { availableParallelism } from "node:os";
import type { Registry } from "prom-client";
import type { Chain } from "../chain/chain.ts";
import type { Feed } from "../market/feed/feed.ts";
import type { Config } from "../ops/config.ts";
import { addSearchThreadMetrics } from "../ops/load-metrics.ts";
import type { Logger } from "../ops/logger.ts";
import { DeepSearches } from "../quoting/search/deep-searches.ts";
import type { RouteQuery } from "../quoting/search/route-search.ts";
import { SearchPool } from "../threads/search-pool.ts";

/** Number of search threads: all cores but one, for answers and the chain, unless the operator sets it. */
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
  readonly registry: Registry;
  readonly logger: Logger;
}): SearchPool {
  const { registry, ...options } = parts;
  const pool = new SearchPool({ ...options, entry: new URL("worker.ts", import.meta.url), now: Date.now });
  addSearchThreadMetrics(registry, () => pool.figures());
  return pool;
}

/** Deep searches in those threads beside requests; none where there are to be none. Returns what is told of each search. */
export function startDeepSearches(parts: {
  readonly threads: SearchPool;
  readonly chain: Pick<Chain, "market" | "onSnapshot" | "switchedOffByLeader">;
  /** DEEP_SEARCHES. */
  readonly most: number;
  readonly logger: Logger;
}): { readonly searched?: (query: RouteQuery) => void } {
  const { threads, chain, most, logger } = parts;
  if (most === 0) return {};
  const deep = new DeepSearches({
    mostPerBlock: most,
    findSpare: (query) => threads.findSpare(query),
    record: (route, blockNumber) => chain.market.recordRoute(route, blockNumber, true),
    onDefect: (error) => logger.error({ err: error }, "a search beside requests failed"),
  });
  // The known routes of a fleet are those of the process that follows the chain: others would search for nothing.
  const isFollowing = () => chain.switchedOffByLeader() === undefined;
  chain.onSnapshot((snapshot) => {
    if (isFollowing()) deep.follow(snapshot);
  });
  return {
    searched: (query) => {
      if (isFollowing()) deep.asked(query);
    },
  };
}
