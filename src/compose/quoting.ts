import type { Config } from "../ops/config.ts";
import type { Logger } from "../ops/logger.ts";
import { inSpan } from "../ops/spans.ts";
import type { Quoting } from "../quoting/answer/answers.ts";
import { createPriceCache, type PriceCache } from "../quoting/price/price-cache.ts";
import { createPriceLists, type PriceLists } from "../quoting/price/price-lists.ts";
import { logQuotes } from "../quoting/record/record-quotes.ts";
import { queueSearches, type SearchQueue } from "../quoting/search/search-queue.ts";
import type { RunningEngine } from "./engine.ts";
import type { Kept } from "./stores.ts";

/** Prices of several requests, over those of one. */
interface PriceListing {
  readonly lists: PriceLists;
}

/** Quoting as requests meet it: a price is remembered for its block, a search waits for its turn, a quote goes on record. */
export function composeQuoting(parts: {
  readonly config: Config;
  readonly engine: RunningEngine;
  readonly kept: Pick<Kept, "quotes" | "switches">;
  readonly logger: Logger;
}): PriceCache & PriceListing & Pick<SearchQueue, "counts"> {
  const { config, engine, kept, logger } = parts;
  const { chain, market, turns } = engine;
  const logged = logQuotes(engine.quoting, kept.quotes, {
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
  return { ...remembered, lists: createPriceLists(remembered.quoting, market), counts: queue.counts };
}

/** Prices and quotes in spans of their own: from when it is their turn until they are made. */
function inSpans(quoting: Quoting): Quoting {
  return {
    ...quoting,
    price: (request, call) => inSpan("price", {}, () => quoting.price(request, call)),
    quote: (request, call) => inSpan("quote", {}, () => quoting.quote(request, call)),
  };
}
