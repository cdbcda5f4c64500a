import { openBps } from "../../fixtures/routing/certificate-gap.ts";
import type { SwapOrder } from "../../src/domain/order.ts";
import { fillsOf } from "../../src/domain/route.ts";
import type { NetworkCost, PoolGraph, Router } from "../../src/routing/router.ts";
import { ask, processorMs } from "./ask.ts";
import type { Regret, Restarts } from "./restarts/restarts.ts";

/** What is told of one answer. */
export interface Answer {
  readonly order: SwapOrder;
  /** Milliseconds of processor time, bound included. */
  readonly ms: number;
  /**
   * Basis points between bound and answer; null: no bound, or nothing left of the answer by network cost. Absent: no
   * route.
   */
  readonly gap?: number | null;
  /** Absent: no route. */
  readonly fills?: number;
  /** Absent: no restart was tried, or none has a route either. Without a route the regret is endless. */
  readonly regret?: Regret;
}

export interface Measuring {
  readonly create: () => Router;
  readonly graph: PoolGraph;
  readonly cost: NetworkCost;
  readonly warmUp: readonly SwapOrder[];
  readonly orders: readonly SwapOrder[];
  readonly restarts: Restarts;
  /** How many of the orders restarts are tried for. */
  readonly regrets: number;
}

/** Asks every order once, and then looks for better routes. */
export function measure({ create, graph, cost, warmUp, orders, restarts, regrets }: Measuring): readonly Answer[] {
  const router = create();
  for (const order of warmUp) ask(router, { graph, cost, order });
  const answers = orders.map((order) => ({ order, ...processorMs(() => ask(router, { graph, cost, order })) }));
  // Restarts ask a router of their own: the measured one has seen none of their requests.
  const other = create();
  return answers.map(({ order, ms, result }, i): Answer => {
    const regret = i < regrets ? restarts.regretOf({ router: other, graph, order, cost }, result) : undefined;
    const about = { order, ms, ...(regret && { regret }) };
    if (!result.found) return about;
    const { certificate, route } = result;
    // Of an answer that network cost leaves nothing of there are no basis points: the service has null there too.
    const isTold = certificate !== undefined && certificate.achieved > 0n;
    return { ...about, gap: isTold ? openBps(certificate) : null, fills: fillsOf(route).length };
  });
}
