import { availableParallelism } from "node:os";
import type { Registry } from "prom-client";
import type { Chain } from "../chain/chain.ts";
import type { ChainRecord } from "../chain/chains/chain-record.ts";
import { ALL_ON, type SwitchedOff } from "../domain/switches.ts";
import { Feed } from "../market/feed/feed.ts";
import { type MarketRules, marketOf } from "../market/feed/feed-state.ts";
import type { Config } from "../ops/config.ts";
import { addSearchThreadMetrics } from "../ops/load-metrics.ts";
import type { Logger } from "../ops/logger.ts";
import { feedEncoder } from "../snapshot/feed-codec.ts";
import { SearchPool } from "../threads/search-pool.ts";

/** How many threads search: all cores but the one that answers and follows the chain, unless the operator says otherwise. */
export function searchThreadsOf({ SEARCH_THREADS: threads }: Pick<Config, "SEARCH_THREADS">): number {
  return threads ?? availableParallelism() - 1;
}

/** Threads that follow a chain's market and search it. */
export function startSearchThreads(parts: {
  readonly threads: number;
  readonly chain: Pick<Chain, "onSnapshot" | "verdicts">;
  readonly record: Pick<ChainRecord, "chainId" | "wrappedNative" | "referenceTokens">;
  readonly switchedOff: (() => SwitchedOff) | undefined;
  readonly registry: Registry;
  readonly logger: Logger;
}): SearchPool {
  const { threads, chain, record, switchedOff = () => ALL_ON, registry, logger } = parts;
  const { chainId, wrappedNative, referenceTokens: references } = record;
  const feed = new Feed(feedEncoder, { chainId, wrappedNative, references }, (error) =>
    logger.error({ err: error }, "the market could not be told to the search threads"),
  );
  const rules = (): MarketRules => ({ off: switchedOff(), keptOut: chain.verdicts.keptOut() });
  chain.onSnapshot((snapshot) => void feed.publish(marketOf(snapshot), rules()));
  const entry = new URL("worker.ts", import.meta.url);
  const pool = new SearchPool({ threads, entry, feed, rules, logger, now: Date.now });
  addSearchThreadMetrics(registry, () => pool.figures());
  return pool;
}
