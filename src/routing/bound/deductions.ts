import { mathOf, type Pool } from "../../pools/pool.ts";
import { type Edge, mayUseAgain } from "../edges/edges.ts";
import type { Search } from "../session/search.ts";
import type { Earner } from "./measure.ts";
import { outerPrice, type Prices } from "./outer-prices.ts";

/**
 * Sums the earnings of pools of several tokens, whose pairs exclude each other in part. `counted`: for each pool used for one pair
 * of tokens only, its best earner; all earners of other pools. `less`: by how much all that a route can use earn less than the
 * sum over all slots.
 */
export function perPool(search: Search, prices: Prices, earners: readonly Earner[]) {
  const { pool: numberAt, pools } = search.graph;
  const poolOf = ({ slot }: Earner) => pools[numberAt[slot] as number] as Pool;
  // A pool of two tokens earns in one direction at most.
  const ofSeveral = earners.filter((earner) => poolOf(earner).tokens.length > 2);
  let less = 0;
  const dropped = new Set<Earner>();
  for (const [pool, list] of Map.groupBy(ofSeveral, poolOf)) {
    if (list.length === 1) continue;
    const sum = list.reduce((all, { profit }) => all + profit, 0);
    if (search.revisits && mayUseAgain(pool)) {
      less += Math.max(0, sum - earnedTogether(search, prices, pool));
      continue;
    }
    const best = list.reduce((most, one) => (one.profit > most.profit ? one : most));
    less += sum - best.profit;
    for (const one of list) if (one !== best) dropped.add(one);
  }
  return { counted: dropped.size === 0 ? earners : earners.filter((one) => !dropped.has(one)), less };
}

/** The most that uses of a pool for several pairs earn together, before their gas. */
function earnedTogether(search: Search, prices: Prices, pool: Pool): number {
  const { graph } = search;
  const values = pool.tokens.map((token) => {
    const node = graph.nodeOf(token);
    return node === undefined ? undefined : outerPrice(search, prices, node);
  });
  return mathOf(pool).mostEarnedTogether?.(pool.state, values) ?? Number.POSITIVE_INFINITY;
}

/**
 * Least cost of the pool uses that every route has and does not earn back: one of a pool of the sold token and
 * one of a pool of the bought token. A pool between the two is both: the cost of the first pool use is not counted again.
 * `earners`: earnings after gas of the slots that have any; `profitAt` computes those of any other.
 */
export function unavoidableLoss(
  search: Search,
  prices: Prices,
  costPerGas: number,
  earners: readonly Earner[],
  profitAt: (slot: number) => number,
): number {
  if (costPerGas === 0) return 0;
  const { source, sink, graph } = search;
  const { edgeAt, spot, gas } = graph;
  const earned = new Set(earners.map(({ slot }) => slot));
  /** No less than what an edge earns: what the deepest hyperbola does that the curve may be. */
  const mostOf = (edge: Edge): number => {
    const paid = edge.spot * outerPrice(search, prices, edge.to);
    const short = 1 - Math.sqrt(outerPrice(search, prices, edge.from) / paid);
    return short > 0 ? paid * edge.deepest * short * short : 0;
  };
  /** The least that a pool use of any of these slots costs and does not earn back. */
  const leastLoss = (slots: Iterable<number>, counted: (edge: Edge) => number): number => {
    let least = Number.POSITIVE_INFINITY;
    for (const slot of slots) {
      if (least <= 0) return 0;
      if (spot[slot] === 0) continue;
      const edge = edgeAt(slot);
      const cost = (gas[slot] as number) * costPerGas - counted(edge);
      if (!search.usable(edge.from, edge.to)) continue;
      const most = mostOf(edge);
      if (cost - most >= least || !search.allowsSlot(slot)) continue;
      if (earned.has(slot)) return 0;
      least = Math.min(least, most === 0 ? cost : -profitAt(slot) - counted(edge));
    }
    return least < Number.POSITIVE_INFINITY ? Math.max(0, least) : 0;
  };
  const first = leastLoss(leaving(search, source), () => 0);
  return first + leastLoss(entering(search, sink), (edge) => (edge.from === source ? first : 0));
}

/** The slots that a route may leave a node by. */
function* leaving({ graph, endOf, leadsOn }: Search, node: number): Generator<number> {
  for (let slot = graph.start[node] as number; slot < endOf(node); slot++) if (leadsOn(slot, node)) yield slot;
}

/** The slots that a route may enter the sink by. */
function* entering({ graph, source, entryEnd }: Search, sink: number): Generator<number> {
  const { start, to, twin, dead } = graph;
  for (let slot = start[sink] as number; slot < entryEnd; slot++)
    if (dead[to[slot] as number] === 0 || to[slot] === source) yield twin[slot] as number;
}
