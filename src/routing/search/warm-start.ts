import type { Address } from "../../domain/address.ts";
import { measure, mostProven, noMoreThan, roomOf } from "../bound/measure.ts";
import type { Edge } from "../edges/edges.ts";
import { amountOf, isBetter, isDone, mostSoldFor, netOf } from "../flow/goal.ts";
import type { Split } from "../flow/solve-split.ts";
import type { KnownProof, KnownRoute, TokenPrices } from "../router.ts";
import { type Goal, gasAtPrice, type Search } from "../session/search.ts";
import type { Proven } from "./improve-flow.ts";
import { flowOver } from "./prune.ts";
import type { SearchOutcome } from "./search.ts";

/** A flow over the pools of a route that was found before. */
export interface WarmFlow {
  readonly flow: Split;
  /** Whether a route for about the amount is known: then a climb from it may stand for a whole search. */
  readonly isNear: boolean;
}

/** Largest factor between the amounts of a known route and of a request that it serves. */
const NEAR = 4;
/** Known routes that are tried where there is arbitrage between pools, and elsewhere: there prices find the best one from any. */
const MAX_TRIED = 4;
const FEWEST_TRIED = 1;
/** Gap beyond that of the routes for a smaller and a larger amount that is as good as theirs, as a part of the trade's value. */
const AS_GOOD = 1e-4;
/** Gap of these, likewise, from which on they do not tell how good a flow is. */
const MAX_OPEN = 5e-4;

/** The best flow over the pools of known routes, those for the nearest amounts, or the path; undefined where none does all of the trade. */
export function warmFlow(search: Search, path: Split, hopeless: boolean): WarmFlow | undefined {
  const { routes } = search.warm;
  const off = (route: KnownRoute) => Math.abs(Math.log(givenAmountOf(search, route) / search.amount));
  const tried = hopeless || routes.some(({ proof }) => proof !== undefined) ? MAX_TRIED : FEWEST_TRIED;
  const nearest = routes.toSorted((a, b) => off(a) - off(b)).slice(0, tried);
  const flows = flowsOver(search, nearest, path.logPrices, path.sellAmount).filter((flow) => isDone(search, flow));
  const [first] = nearest;
  if (first === undefined || flows.length === 0) return undefined;
  const best = flows.reduce((most, flow) => (isBetter(search, flow, most) ? flow : most), path);
  return { flow: best, isNear: off(first) <= Math.log(NEAR) };
}

/**
 * The better flow over the pools of routes for a smaller and a larger amount, where their proofs prove it as good as these are: at
 * prices between theirs, in proportion to the amount. Undefined without both, or if that leaves more open.
 */
export function provenNearby(search: Search): SearchOutcome | undefined {
  const [one, other] = search.warm.routes.filter(({ proof }) => proof !== undefined);
  if (one?.proof === undefined || other?.proof === undefined) return undefined;
  const [from, to] = [givenAmountOf(search, one), givenAmountOf(search, other)];
  // Amounts that differ by a base unit may be one to floats.
  const part = to === from ? 0 : (search.amount - from) / (to - from);
  const { logPrices, withoutGas, level, open } = between(search, one.proof, other.proof, part);
  let flow: Split | undefined;
  for (const next of flowsOver(search, [one, other], logPrices, (Number(one.sellAmount) / from) * search.amount))
    if (isDone(search, next) && (flow === undefined || isBetter(search, next, flow))) flow = next;
  if (flow === undefined) return undefined;
  const { edges } = flow.support;
  const amount = amountOf(search, flow);
  if (!(open <= MAX_OPEN * amount)) return undefined;
  const sellAmount = mostSoldFor(search, flow);
  const sellPrice = Math.exp(logPrices.get(search.source) as number);
  const worth = sellAmount * sellPrice;
  const measured = measure(search, withoutGas, sellAmount, { worth });
  const mostSold = search.side === "exactIn" ? 0 : sellAmount;
  const relaxed = { measured, logPrices: withoutGas, edges: () => edges, hopeless: false, mostSold };
  const costPerGas = gasAtPrice(search, sellPrice);
  const withGas = () => ({ worth, costPerGas, room: roomOf(search, sellAmount, relaxed), level });
  const { proof: own } = costPerGas === 0 ? measured : measure(search, logPrices, sellAmount, withGas());
  const proof = noMoreThan(own, search, sellAmount);
  const isAsGood = mostProven(proof, search) - netOf(search, flow) <= open + AS_GOOD * amount;
  return isAsGood ? { found: [flow], relaxed, proof, isClose: true } : undefined;
}

/** A proof between two others: small trades move prices linearly. */
function between({ graph }: Search, one: KnownProof, other: KnownProof, part: number) {
  const mixed = (a: number, b: number) => a + part * (b - a);
  const prices = (a: TokenPrices, b: TokenPrices) => {
    const logPrices = new Map<number, number>();
    for (const [token, price] of [...a, ...b]) {
      const node = graph.nodeOf(token);
      if (node !== undefined) logPrices.set(node, mixed(a.get(token) ?? price, b.get(token) ?? price));
    }
    return logPrices;
  };
  return {
    logPrices: prices(one.logPrices, other.logPrices),
    withoutGas: prices(one.withoutGas, other.withoutGas),
    level: mixed(one.level, other.level),
    open: mixed(one.open, other.open),
  };
}

/** A proof as searches for other amounts can begin with it. `value`: the route's. */
export function knownProof(search: Search, { relaxed, proof }: Proven, value: bigint): KnownProof {
  const { level } = proof;
  const open = mostProven(proof, search) - Number(value);
  return {
    ...{ level, open },
    logPrices: byToken(search, proof.logPrices),
    withoutGas: byToken(search, relaxed.logPrices),
  };
}

/** Prices named by tokens: nodes are a thread's own. */
function byToken({ graph }: Search, logPrices: ReadonlyMap<number, number>): TokenPrices {
  const { start, pool, pools, nodeOf } = graph;
  const named = new Map<Address, number>();
  for (const [node, logPrice] of logPrices) {
    const held = pools[pool[start[node] as number] as number]?.tokens ?? [];
    const token = held.find((each) => nodeOf(each) === node);
    if (token !== undefined) named.set(token, logPrice);
  }
  return named;
}

/** The flows over the pools of routes, from given prices, that sell about so much. */
export function flowsOver(
  search: Search,
  routes: readonly KnownRoute[],
  logPrices: ReadonlyMap<number, number>,
  sellAmount: number,
): readonly Split[] {
  return routes.flatMap((route) => {
    const edges = edgesOf(search, route);
    return flowOver(search, sellAmount, edges, pricesOf(search, edges, logPrices)) ?? [];
  });
}

/** The amount of a route that an order gives. */
function givenAmountOf({ side }: Goal, { sellAmount, buyAmount }: KnownRoute): number {
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
