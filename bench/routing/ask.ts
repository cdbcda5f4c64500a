import { budgetOf } from "../../fixtures/routing/request.ts";
import type { SwapOrder } from "../../src/domain/order.ts";
import { SEARCH_BUDGET } from "../../src/quoting/search/search-budget.ts";
import type { NetworkCost, PoolGraph, RouteRequest, RouteResult, Router, WarmStart } from "../../src/routing/router.ts";

/** Milliseconds of processor time that something takes, system calls and the collector's threads included. */
export function processorMs<T>(work: () => T): { readonly ms: number; readonly result: T } {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1000, result };
}

export interface Asking {
  readonly graph: PoolGraph;
  readonly cost: NetworkCost;
  readonly order: SwapOrder;
  /** All pools without it. */
  readonly allows?: RouteRequest["allows"];
  /** Nothing is known of the two tokens without it. */
  readonly warm?: WarmStart | undefined;
  /** Whether the search is a deep one. */
  readonly isDeep?: boolean;
  /** The service's own limit without it. */
  readonly maxFills?: number;
}

/** The answer to an order with the service's own budget. */
export function ask(router: Router, asking: Asking): RouteResult {
  const { graph, cost, order, allows = () => true, maxFills = SEARCH_BUDGET.maxFills, warm, isDeep } = asking;
  return router.findBest({
    order,
    graph,
    allows,
    cost,
    budget: budgetOf({ ...SEARCH_BUDGET, maxFills }),
    ...(warm && { warm }),
    ...(isDeep && { isDeep }),
  });
}
