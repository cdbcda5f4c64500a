import type { SwapOrder } from "../../../src/domain/order.ts";
import type { PoolId, Route } from "../../../src/domain/route.ts";
import type { NetworkCost, PoolGraph, RouteRequest, RouteResult, Router } from "../../../src/routing/router.ts";
import { GreedySearch, type Plan } from "../../peers/routers/greedy-search.ts";
import { ask } from "../ask.ts";
import { scaled } from "../sets/requests.ts";
import { carryOut, netOf, planOf, planOfPaths, type Valued } from "./plan.ts";

/** The amounts whose routes a restart begins from, as parts of the amount: numerator and denominator. */
const SCALES = [
  [1n, 4n],
  [1n, 2n],
  [2n, 1n],
  [4n, 1n],
] as const;

/** Origin of a better route. */
export type RestartKind =
  | "scaled"
  | "scaled, searched again"
  | "scaled, improved"
  | "greedy"
  | "single path"
  | "searched among greedy's pools";

export interface Regret {
  /** Basis points of the output (exact-out: of the input) that the best restart pays more, net of network cost; at least 0. */
  readonly bps: number;
  /** The restart that pays most, where one pays more. */
  readonly by: RestartKind | undefined;
  /** Whether that restart pays more than the router has proven possible: then the proof is wrong. */
  readonly beatsBound: boolean;
}

const NONE: Regret = { bps: 0, by: undefined, beatsBound: false };

/** A router that improves on a route, which may be one for another amount, where a request has one. */
interface StartingRouter extends Router {
  readonly takesStart?: true;
  findBest(request: RouteRequest & { readonly start?: Route }): RouteResult;
}

/** A request and the router that answers it. */
export interface Asked {
  readonly router: StartingRouter;
  readonly graph: PoolGraph;
  readonly order: SwapOrder;
  readonly cost: NetworkCost;
}

/** Looks for better routes than a router's own, by ways that need nothing of its inside. */
export class Restarts {
  readonly #greedy: GreedySearch;
  readonly #graph: PoolGraph;
  readonly #chunks: readonly number[];
  readonly #maxFills: number;

  /** `chunks`: greedy fills that are tried; the most first. */
  constructor(graph: PoolGraph, options: { readonly chunks: readonly number[]; readonly maxFills: number }) {
    this.#graph = graph;
    this.#greedy = new GreedySearch({
      pools: graph
        .chunks()
        .flat()
        .filter((pool) => pool !== undefined),
      time: graph.time,
    });
    this.#chunks = options.chunks;
    this.#maxFills = options.maxFills;
  }

  /** Gain of a restart over the router's answer; undefined if neither has a route. */
  regretOf(asked: Asked, answer: RouteResult): Regret | undefined {
    const { order, cost } = asked;
    const own = valued(answer, cost);
    let best: (Valued & { readonly by: RestartKind }) | undefined;
    const offer = (by: RestartKind, found: Valued | undefined) => {
      if (found !== undefined && (best === undefined || found.net > best.net)) best = { ...found, by };
    };
    for (const route of this.#scaledRoutes(asked)) {
      offer("scaled", this.#carried(planOf(route, this.#graph), asked));
      if (asked.router.takesStart) offer("scaled, improved", this.#improved(asked, route));
      offer("scaled, searched again", this.#among(asked, poolsOf(route)));
      if (own !== undefined)
        offer("scaled, searched again", this.#among(asked, poolsOf(route).union(poolsOf(own.route))));
    }
    const sellAmount = order.kind === "exactIn" ? order.sellAmount : own?.route.sellAmount;
    if (sellAmount !== undefined) {
      const sale = { sellToken: order.sellToken, buyToken: order.buyToken, sellAmount };
      for (const plan of this.#greedy.singles(sale)) offer("single path", this.#paths(plan, asked));
      for (const chunks of cost.gasPrice === 0n ? this.#chunks.slice(0, 1) : this.#chunks) {
        const plan = this.#greedy.fill(sale, chunks);
        if (plan === undefined) continue;
        offer("greedy", this.#paths(plan, asked));
        const pools = new Set(plan.flatMap(({ hops }) => hops.map(({ pool }) => pool)));
        offer("searched among greedy's pools", this.#among(asked, own ? pools.union(poolsOf(own.route)) : pools));
      }
    }
    if (best === undefined) return own && NONE;
    if (own === undefined) return { bps: Number.POSITIVE_INFINITY, by: best.by, beatsBound: false };
    if (best.net <= own.net) return NONE;
    const whole = order.kind === "exactIn" ? own.route.buyAmount : own.route.sellAmount;
    const bps = (Number(best.net - own.net) / Number(whole)) * 1e4;
    return { bps, by: best.by, beatsBound: beats(best.net, order, answer) };
  }

  /** The router's own routes for other amounts. */
  #scaledRoutes({ router, graph, order, cost }: Asked): readonly Route[] {
    return SCALES.flatMap((part) => {
      const other = scaled(order, part);
      if ((other.kind === "exactIn" ? other.sellAmount : other.buyAmount) === 0n) return [];
      const result = ask(router, { graph, cost, order: other });
      return result.found ? [result.route] : [];
    });
  }

  /** The router's own search with these pools alone. */
  #among({ router, graph, order, cost }: Asked, pools: ReadonlySet<PoolId>): Valued | undefined {
    return valued(ask(router, { graph, cost, order, allows: ({ id }) => pools.has(id) }), cost);
  }

  /** Route that the router makes of one to start from. */
  #improved({ router, graph, order, cost }: Asked, start: Route): Valued | undefined {
    const from: Router = { findBest: (request) => router.findBest({ ...request, start }) };
    return valued(ask(from, { graph, cost, order }), cost);
  }

  #paths(plan: Plan, asked: Asked): Valued | undefined {
    const uses = planOfPaths(plan, asked.order.kind, this.#graph);
    return uses && this.#carried(uses, asked);
  }

  #carried(plan: Parameters<typeof carryOut>[0], { order, cost }: Asked): Valued | undefined {
    return carryOut(plan, order, cost, { time: this.#graph.time, maxFills: this.#maxFills });
  }
}

/** Whether a route is worth more than an answer's bound. */
function beats(net: bigint, { kind }: SwapOrder, answer: RouteResult): boolean {
  if (!answer.found || answer.certificate === undefined) return false;
  const { bound } = answer.certificate;
  return kind === "exactIn" ? net > bound : -net < bound;
}

function valued(answer: RouteResult, cost: NetworkCost): Valued | undefined {
  return answer.found ? { route: answer.route, net: netOf(answer.route, cost) } : undefined;
}

function poolsOf(route: Route): Set<PoolId> {
  return new Set(route.fills.map(({ poolId }) => poolId));
}
