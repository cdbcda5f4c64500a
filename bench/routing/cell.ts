import { openBps } from "../../fixtures/routing/certificate-gap.ts";
import type { SwapOrder } from "../../src/domain/order.ts";
import { fillsOf, type Route } from "../../src/domain/route.ts";
import type { KnownRoute, NetworkCost, PoolGraph, Router } from "../../src/routing/router.ts";
import { type Asking, ask, processorMs } from "./ask.ts";
import { netOf } from "./restarts/plan.ts";
import type { Regret, Restarts } from "./restarts/restarts.ts";
import { scaled } from "./sets/requests.ts";

/** Figures of one answer. */
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
  /** Answer if routes for other amounts are known: time, and what it pays more, in basis points. */
  readonly known?: { readonly ms: number; readonly gain: number };
  /** Answer after deep searches for half and twice the amount, and the time of these searches. */
  readonly deep?: { readonly ms: readonly number[]; readonly regret: Regret };
}

export interface Measuring {
  readonly create: () => Router;
  readonly graph: PoolGraph;
  readonly cost: NetworkCost;
  readonly warmUp: readonly SwapOrder[];
  readonly orders: readonly SwapOrder[];
  readonly restarts: Restarts;
  /** Number of orders that restarts are tried for. */
  readonly regrets: number;
}

/** The amounts that a pair has been asked for before, as parts of the order's: numerator and denominator. */
const KNOWN_AMOUNTS = [
  [1n, 9n],
  [1n, 3n],
  [3n, 1n],
  [9n, 1n],
] as const;

/** The amounts that are searched deeply before a request. */
const DEEP_AMOUNTS = [
  [1n, 2n],
  [2n, 1n],
] as const;

/** Asks every order once, as if nothing were known and where the pair has been asked for before, and then looks for better routes. */
export function measure({ create, graph, cost, warmUp, orders, restarts, regrets }: Measuring): readonly Answer[] {
  const router = create();
  for (const order of warmUp) ask(router, { graph, cost, order });
  const answers = orders.map((order) => ({ order, ...processorMs(() => ask(router, { graph, cost, order })) }));
  const known = orders.map((order) => {
    const warm = { routes: knownRoutes(router, { graph, cost, order }), explores: false };
    return processorMs(() => ask(router, { graph, cost, order, warm }));
  });
  // Restarts ask a router of their own: the measured one has seen none of their requests.
  const other = create();
  return answers.map(({ order, ms, result }, i): Answer => {
    const regret = i < regrets ? restarts.regretOf({ router: other, graph, order, cost }, result) : undefined;
    const warm = known[i];
    const deep = i < regrets ? deepOf(restarts, { router: other, graph, cost, order }) : undefined;
    const about = { order, ms, ...(regret && { regret }), ...(deep && { deep }) };
    if (!result.found || !warm?.result.found) return about;
    const gain = gainOf(netOf(warm.result.route, cost) - netOf(result.route, cost), result.route);
    const { certificate, route } = result;
    // An answer whose network cost leaves nothing has no basis points: the service answers null there too.
    const isTold = certificate !== undefined && certificate.achieved > 0n;
    return {
      ...about,
      gap: isTold ? openBps(certificate) : null,
      fills: fillsOf(route).length,
      known: { ms: warm.ms, gain },
    };
  });
}

/** Time of deep searches for other amounts, and the regret after them. */
function deepOf(restarts: Restarts, asked: Asking & { readonly router: Router }): Answer["deep"] {
  const { router, order } = asked;
  const found = DEEP_AMOUNTS.map((part) =>
    processorMs(() => ask(router, { ...asked, order: scaled(order, part), isDeep: true })),
  );
  const routes = found.flatMap(({ result }) => (result.found ? [knownOf(result.route)] : []));
  const answer = ask(router, { ...asked, warm: { routes, explores: false } });
  const regret = restarts.regretOf(asked, answer);
  return regret && { ms: found.map(({ ms }) => ms), regret };
}

function knownRoutes(router: Router, { order, ...asking }: Asking): readonly KnownRoute[] {
  return KNOWN_AMOUNTS.flatMap((part) => {
    const result = ask(router, { ...asking, order: scaled(order, part) });
    return result.found ? [knownOf(result.route)] : [];
  });
}

function knownOf(route: Route): KnownRoute {
  const { sellAmount, buyAmount } = route;
  return { sellAmount, buyAmount, uses: fillsOf(route) };
}

/** Basis points of what a route brings, or takes. */
function gainOf(more: bigint, { kind, buyAmount, sellAmount }: Route): number {
  return (Number(more) / Number(kind === "exactIn" ? buyAmount : sellAmount)) * 1e4;
}
