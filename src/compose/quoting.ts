import type { Chain } from "../chain/chain.ts";
import type { ChainRecord } from "../chain/chains/chain-record.ts";
import type { Makers } from "../makers/makers.ts";
import type { Config } from "../ops/config.ts";
import type { Logger } from "../ops/logger.ts";
import { inSpan } from "../ops/spans.ts";
import type { Quoting } from "../quoting/answer/answers.ts";
import type { SourceCatalog } from "../quoting/answer/route-view.ts";
import type { MarketView, Settlement, Simulator } from "../quoting/ports.ts";
import { createPriceCache, type PriceCache } from "../quoting/price/price-cache.ts";
import { createPoolTrial, type PoolTrial } from "../quoting/quote/pool-trial.ts";
import { createQuoting } from "../quoting/quoting.ts";
import { logQuotes } from "../quoting/record/record-quotes.ts";
import { SEARCH_BUDGET } from "../quoting/search/search-budget.ts";
import { queueSearches, type SearchQueue } from "../quoting/search/search-queue.ts";
import { createThreadTurns } from "../quoting/search/thread-turns.ts";
import { createRouter } from "../routing/create-router.ts";
import type { operatorFilesOf } from "./stores.ts";

/** Quoting as requests meet it: a price is remembered for its block, a search waits for its turn, a quote goes on record. */
export function composeQuoting(parts: {
  readonly config: Config;
  readonly chain: Chain;
  readonly makers: Makers;
  /** The chain's market with what makers offer. */
  readonly market: MarketView;
  readonly catalog: SourceCatalog;
  readonly settlement: Settlement;
  readonly record: ChainRecord;
  readonly files: ReturnType<typeof operatorFilesOf>;
  readonly logger: Logger;
}): PriceCache & Pick<SearchQueue, "counts"> & { readonly poolTrial: PoolTrial } {
  const { config, chain, makers, market, catalog, settlement, record, files, logger } = parts;
  const { wrappedNative } = record;
  const router = createRouter();
  const turns = createThreadTurns(() => performance.now());
  const simulator: Simulator = {
    simulate: (request) => inSpan("simulate", {}, () => chain.simulator.simulate(request)),
  };
  const poolTrial = createPoolTrial({ settlement, simulator, sources: catalog });
  const searching = createQuoting({
    market,
    tokens: chain.registry,
    verdicts: chain.verdicts,
    sources: catalog,
    router: { findBest: (query) => inSpan("search", {}, () => router.findBest(query)) },
    settlement,
    simulator,
    accounts: chain.accounts,
    makers,
    config: {
      wrappedNative,
      quoteTtlSeconds: config.QUOTE_TTL_SECONDS,
      blockTimeMs: record.blockTimeMs,
      budget: { ...SEARCH_BUDGET, maxHops: config.MAX_HOPS },
    },
    switchedOff: files.switches.off,
    turns,
    now: Date.now,
  });
  const logged = logQuotes(searching, files.quotes, {
    now: Date.now,
    onFault: (error) => logger.error({ err: error }, "a quote could not be put on record"),
  });
  const limits = { atOnce: config.MAX_SEARCHES, mostWaiting: config.MAX_WAITING };
  const queue = queueSearches(inSpans(logged), limits, turns);
  const remembered = createPriceCache({
    quoting: queue.quoting,
    market,
    versions: () => [files.switches.off(), chain.verdicts.keptOut()],
    most: config.MAX_CACHED_PRICES,
    now: Date.now,
  });
  return { ...remembered, counts: queue.counts, poolTrial };
}

/** Prices and quotes in spans of their own: from when it is their turn until they are made. */
function inSpans(quoting: Quoting): Quoting {
  return {
    ...quoting,
    price: (request, call) => inSpan("price", {}, () => quoting.price(request, call)),
    quote: (request, call) => inSpan("quote", {}, () => quoting.quote(request, call)),
  };
}
