import { PoolSearch } from "../search/pool-search.ts";
import type { Blocks } from "./blocks.ts";
import { type Bootstrap, type BootstrapOptions, createBootstrap } from "./bootstrap.ts";
import type { FollowerOptions } from "./follower.ts";
import { createGasPrices } from "./gas-price.ts";
import { Publisher, type PublisherOptions } from "./publisher.ts";

/** The search for pools of a follower. What nobody waits for is read by its patient reader, old logs by that of history. */
export function poolSearchOf(options: FollowerOptions, { byNumber: headerOf, latest }: Blocks): PoolSearch {
  const { reader, record, tokens = [], searchAtOnce, clock, logger, keepDiscovery } = options;
  const { patient = reader, history = patient } = options;
  return new PoolSearch({
    ...{ reader, patient, history, record, headerOf, latest, clock, logger, tokens, searchAtOnce, keepDiscovery },
  });
}

/** Creates the start of a follower. A loaded state also restores the market's knowledge of that time. */
export function bootstrapOf(
  { reader, record, market, clock, logger, loadState, catalog, terms }: FollowerOptions,
  parts: Pick<BootstrapOptions, "blocks" | "ringSize" | "later" | "search">,
): Bootstrap {
  return createBootstrap({
    ...{ ...parts, reader, record, clock, logger, catalog, terms, store: () => market.pools },
    loadState:
      loadState &&
      (async () => {
        const saved = await loadState();
        market.recall(saved?.deepSince ?? [], saved?.shown);
        return saved;
      }),
  });
}

/** Creates the publisher of a follower's snapshots. */
export function publisherOf(
  { provider, reader, record, market, nodes, clock }: FollowerOptions,
  parts: Pick<PublisherOptions, "tell" | "isDoubted">,
): Publisher {
  const others = () => (nodes?.panel() ?? []).flatMap((node) => (node.followed ? [] : [node.provider]));
  return new Publisher({
    ...{ ...parts, market, reader, record },
    gasPriceAfter: createGasPrices(provider, others, clock),
  });
}
