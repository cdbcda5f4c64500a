import { openBps } from "../../fixtures/routing/certificate-gap.ts";
import { budgetOf } from "../../fixtures/routing/request.ts";
import { fillsOf } from "../../src/domain/route.ts";
import { SEARCH_BUDGET } from "../../src/quoting/search/search-budget.ts";
import { createRouter } from "../../src/routing/create-router.ts";
import { costPerGas } from "../../src/routing/network-cost.ts";
import type { NetworkCost, PoolGraph, RouteRequest, Router } from "../../src/routing/router.ts";
import { FINE_ENOUGH, type Group, type Trade } from "./trades.ts";

/** What the answers to one group of trades cost and prove. */
export interface Figures {
  readonly group: Group;
  /** Milliseconds of processor time of an answer with its bound: the least of some. */
  readonly ms: readonly number[];
  /** How far the bound lies from what was achieved, in basis points of it. */
  readonly gaps: readonly number[];
  /** The same after the cost of one pool touch. */
  readonly gapsAfterTouch: readonly number[];
  readonly fills: readonly number[];
  readonly refused: number;
}

const REPEATS = 2;
/** Gas of the cheapest touch of a pool. */
const TOUCH = 60_000;

/** Milliseconds of processor time that something takes, system calls and the collector's threads included. */
export function processorMs<T>(work: () => T): { readonly ms: number; readonly result: T } {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1000, result };
}

/** The answer to a trade with the service's own budget, over the pools that are allowed. */
export function ask(
  router: Router,
  graph: PoolGraph,
  cost: NetworkCost,
  { order }: Pick<Trade, "order">,
  allows: RouteRequest["allows"] = () => true,
) {
  return router.findBest({ order, graph, allows, cost, budget: budgetOf(SEARCH_BUDGET) });
}

/** Figures of both groups, measured once every trade has been asked for before. */
export function figuresOf(graph: PoolGraph, cost: NetworkCost, trades: readonly Trade[]): readonly Figures[] {
  const router = createRouter();
  for (const trade of trades) ask(router, graph, cost, trade);
  return (["best-connected", "random"] as const).map((group) => {
    const ms: number[] = [];
    const gaps: number[] = [];
    const gapsAfterTouch: number[] = [];
    const fills: number[] = [];
    let refused = 0;
    for (const trade of trades.filter((one) => one.group === group)) {
      const runs = Array.from({ length: REPEATS }, () => processorMs(() => ask(router, graph, cost, trade)));
      ms.push(Math.min(...runs.map((run) => run.ms)));
      const result = runs[0]?.result;
      if (result === undefined || !result.found || result.certificate === undefined) {
        refused++;
        continue;
      }
      fills.push(fillsOf(result.route).length);
      if (result.certificate.achieved < FINE_ENOUGH) continue;
      const { order } = trade;
      const touch = TOUCH * costPerGas(cost, order.kind === "exactIn" ? order.buyToken : order.sellToken);
      gaps.push(openBps(result.certificate));
      gapsAfterTouch.push(openBps(result.certificate, touch));
    }
    return { group, ms, gaps, gapsAfterTouch, fills, refused };
  });
}
