import type { Edge } from "../edges/edges.ts";
import { isBetter, isDone } from "../flow/goal.ts";
import type { Split } from "../flow/solve-split.ts";
import type { KnownRoute, WarmStart } from "../router.ts";
import type { Goal, Search } from "../session/search.ts";
import { flowOver } from "./prune.ts";

/** A flow over the pools of a route that was found before. */
export interface WarmFlow {
  readonly flow: Split;
  /** Whether a climb from it may stand for a whole search: a route for about the amount is known, and this is no time to explore. */
  readonly isEnough: boolean;
}

/** Largest factor between the amounts of a known route and of a request that it serves. */
const NEAR = 4;
/** Known routes that are tried where there is arbitrage between pools, and elsewhere: there prices find the best one from any. */
const MAX_TRIED = 4;
const FEWEST_TRIED = 1;

/** The best flow over the pools of known routes, those for the nearest amounts, where one does all of the trade and is better than a path. */
export function warmFlow(search: Search, path: Split, hopeless: boolean): WarmFlow | undefined {
  const { routes, explores }: WarmStart = search.warm;
  const off = (route: KnownRoute) => Math.abs(Math.log(givenAmountOf(search, route) / search.amount));
  const nearest = routes.toSorted((a, b) => off(a) - off(b)).slice(0, hopeless ? MAX_TRIED : FEWEST_TRIED);
  let best = path;
  for (const flow of flowsOver(search, nearest, path.logPrices, path.sellAmount))
    if (isDone(search, flow) && isBetter(search, flow, best)) best = flow;
  const [first] = nearest;
  if (best === path || first === undefined) return undefined;
  return { flow: best, isEnough: !explores && off(first) <= Math.log(NEAR) };
}

/** The flows over the pools of all known routes. */
export function knownFlows(search: Search, start: Split): readonly Split[] {
  return flowsOver(search, search.warm.routes, start.logPrices, start.sellAmount);
}

/** The flows over the pools of routes, from given prices. `sellAmount`: what they sell about; absent: in proportion to each route. */
export function flowsOver(
  search: Search,
  routes: readonly KnownRoute[],
  logPrices: ReadonlyMap<number, number>,
  sellAmount?: number,
): readonly Split[] {
  return routes.flatMap((route) => {
    const edges = edgesOf(search, route);
    const sold = sellAmount ?? (Number(route.sellAmount) * search.amount) / givenAmountOf(search, route);
    return flowOver(search, sold, edges, pricesOf(search, edges, logPrices)) ?? [];
  });
}

/** The amount of a route that an order gives. */
export function givenAmountOf({ side }: Goal, { sellAmount, buyAmount }: KnownRoute): number {
  return Number(side === "exactIn" ? sellAmount : buyAmount);
}

/** Prices to begin with: the known ones, and for other tokens the spot prices. */
function pricesOf(
  { graph: { rest }, sink }: Search,
  edges: readonly Edge[],
  known: ReadonlyMap<number, number>,
): Map<number, number> {
  const prices = new Map(known);
  for (const { from } of edges)
    if (!prices.has(from)) prices.set(from, Math.log((rest[from] as number) / (rest[sink] as number)));
  return prices;
}

/** The edges of a known route that are still there and allowed. */
function edgesOf({ graph, allowsSlot }: Search, { uses }: KnownRoute): Edge[] {
  const { start, to, pool, pools } = graph;
  return uses.flatMap(({ poolId, sellToken, buyToken }) => {
    const [node, target] = [graph.nodeOf(sellToken), graph.nodeOf(buyToken)];
    if (node === undefined || target === undefined || node === target) return [];
    for (let slot = start[node] as number; slot < (start[node + 1] as number); slot++)
      if (to[slot] === target && pools[pool[slot] as number]?.id === poolId)
        return allowsSlot(slot) ? [graph.edgeAt(slot)] : [];
    return [];
  });
}
