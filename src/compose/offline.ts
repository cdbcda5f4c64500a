import { createSwapCalls } from "../api/calls/swap-service.ts";
import { pricesInProcess } from "../api/rpc/in-process.ts";
import { createSwapClient, type SwapClient } from "../client/index.ts";
import { refuse } from "../domain/errors/swap-error.ts";
import { createPriceLists } from "../quoting/price/price-lists.ts";
import { SEARCH_BUDGET } from "../quoting/search/search-budget.ts";
import type { SearchBudget } from "../routing/router.ts";
import type { SavedMarket } from "../snapshot/file.ts";
import { createEngine } from "./engine.ts";
import { openMarket } from "./snapshot-market.ts";

const QUOTE_TTL_SECONDS = 120;

/**
 * The service's own API and quoting over a saved market, in this process: prices as the service gave them at
 * that block, gas by the measured model. There is no node: nothing is simulated, and prices are all that there is.
 */
export function openOffline(saved: SavedMarket, limits: Pick<SearchBudget, "maxHops" | "maxFills">): SwapClient {
  const opened = openMarket(saved);
  const { wrappedNative, chainId } = saved;
  const { quoting, settlement } = createEngine({
    ...opened,
    deployment: { deployed: false },
    config: { wrappedNative, quoteTtlSeconds: QUOTE_TTL_SECONDS, budget: { ...SEARCH_BUDGET, ...limits } },
    now: Date.now,
  });
  const watches = {
    open(): never {
      throw refuse("UNAVAILABLE", "a saved market does not move");
    },
    counts: () => ({ watches: 0, requests: 0 }),
    stop: () => {},
  };
  const catalog = {
    chainId,
    tokens: opened.tokens,
    wrappedNative,
    settlementContracts: [...settlement.contracts, settlement.permit2],
    sourceIds: () => [...opened.sources.keys()],
    mostOfRoutes: limits,
  };
  const calls = createSwapCalls({ quoting, watches, catalog, lists: createPriceLists(quoting, opened.market) });
  return createSwapClient({ transport: pricesInProcess(calls), apiKey: "offline" });
}
