import type { Registry } from "prom-client";
import type { ChainRecord } from "../chain/chains/chain-record.ts";
import type { Config } from "../ops/config.ts";
import type { Logger } from "../ops/logger.ts";
import { inSpan } from "../ops/spans.ts";
import type { Quoting } from "../quoting/answer/types.ts";
import { guardPrices } from "../quoting/guard/price-guard.ts";
import { createPriceCache, type PriceCache } from "../quoting/price/price-cache.ts";
import { createPriceLists, type PriceLists } from "../quoting/price/price-lists.ts";
import { logQuotes } from "../quoting/record/record-quotes.ts";
import { queueSearches, type SearchQueue } from "../quoting/search/search-queue.ts";
import type { RunningEngine } from "./engine.ts";
import { startPriceGuard } from "./price-guard.ts";
import type { Kept } from "./stores.ts";

/** Prices of several requests, over those of one. */
interface PriceListing {
  readonly lists: PriceLists;
}

/** Quoting as requests meet it: a price is remembered for its block, a search waits for its turn, a quote goes on record. */
export function composeQuoting(parts: {
  readonly config: Config;
  readonly record: Pick<ChainRecord, "wrappedNative">;
  readonly engine: RunningEngine;
  readonly kept: Pick<Kept, "quotes" | "switches">;
  readonly registry: Registry;
  onStarted(end: () => Promise<void>): void;
  readonly logger: Logger;
}): PriceCache & PriceListing & Pick<SearchQueue, "counts"> & { guardStatus(): object } {
  const { config, record, engine, kept, logger, registry, onStarted } = parts;
  const { chain, market, turns } = engine;
  const guard = startPriceGuard(config, { ...record, engine, registry, onStarted });
  const quoting = guard === undefined ? engine.quoting : guardPrices(engine.quoting, guard, market);
  const logged = logQuotes(quoting, kept.quotes, {
    now: Date.now,
    onFault: (error) => logger.error({ err: error }, "a quote could not be put on record"),
  });
  const limits = { atOnce: config.MAX_SEARCHES, mostWaiting: config.MAX_WAITING };
  const queue = queueSearches(inSpans(logged), limits, turns);
  const remembered = createPriceCache({
    quoting: queue.quoting,
    market,
    versions: () => [engine.switchedOff(), chain.verdicts.keptOut()],
    most: config.MAX_CACHED_PRICES,
    now: Date.now,
  });
  const guardStatus = () => (guard === undefined ? {} : { priceGuard: guard.readings() });
  return { ...remembered, lists: createPriceLists(remembered.quoting, market), counts: queue.counts, guardStatus };
}

/** Prices and quotes in spans of their own: from when it is their turn until they are made. */
function inSpans(quoting: Quoting): Quoting {
  return {
    ...quoting,
    price: (request, call) => inSpan("price", {}, () => quoting.price(request, call)),
    quote: (request, call) => inSpan("quote", {}, () => quoting.quote(request, call)),
  };
}
