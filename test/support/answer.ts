import type { SwapOrder } from "../../src/domain/order.ts";
import type { Pool } from "../../src/pools/pool.ts";
import { createRouter } from "../../src/routing/create-router.ts";
import type { NetworkCost, RouteResult, SearchBudget } from "../../src/routing/router.ts";
import { budgetOf, FREE, graphOf } from "./universe.ts";

/** What a new router answers over these pools, all of them allowed. */
export function answerTo(
  order: SwapOrder,
  pools: readonly Pool[],
  cost: NetworkCost = FREE,
  budget: Partial<SearchBudget> = {},
): RouteResult {
  const request = { order, graph: graphOf(pools), allows: () => true, cost, budget: budgetOf(budget) };
  return createRouter().findBest(request);
}
