import { carry } from "./carry.ts";
import type { Edge } from "./edges.ts";
import { solveFlow } from "./flow.ts";
import { problemOf } from "./flow-problem.ts";
import type { Session } from "./session.ts";
import { connected, type Support, supportOf, tooFar } from "./support.ts";

/** A trade split best over a support. All numbers are floats; amounts in base units. */
export interface Settled {
  readonly support: Support;
  readonly sellAmount: number;
  /** What the flow pays when it is carried out in order, every unit placed. */
  readonly buyAmount: number;
  /** What of the sold amount found no room, in sold units; 0 for a trade that can be done. */
  readonly stuck: number;
  /** What each edge of the support sells. */
  readonly sells: readonly number[];
  /** What the trade loses at least without this edge alone, in bought units. */
  readonly profits: readonly number[];
  readonly logPrices: ReadonlyMap<number, number>;
}

/** Part of a token's flow below which an edge is left out: shares are parts of 10^9. */
const LEAST_SHARE = 2e-9;
/** Part of what a pool takes at most that counts as all of it. */
const FULL = 0.999;

/**
 * Splits `sellAmount` best over `edges`, leaving out those that get nothing. Undefined when they do not connect source
 * and sink, or only by a cycle; edges that lie on no path within the limit of hops are left out.
 */
export function settle(
  session: Session,
  edges: readonly Edge[],
  sellAmount: number,
  start: ReadonlyMap<number, number>,
): Settled | undefined {
  const { source, sink } = session;
  if (edges.length === 0 || supportOf(edges, source, sink) === undefined) return undefined;
  const flow = solveFlow(session, problemOf(edges), sellAmount, start);
  const total = new Map<number, number>();
  edges.forEach(({ from }, i) => {
    total.set(from, (total.get(from) ?? 0) + (flow.sells[i] as number));
  });
  const used = edges.filter(
    (edge, i) =>
      (flow.sells[i] as number) > LEAST_SHARE * (total.get(edge.from) as number) ||
      (total.get(edge.from) === 0 && edge === cheapest(edges, edge.from, flow.logPrices)),
  );
  const kept = connected(used, source, sink);
  if (kept.length === 0) return undefined;
  const support = supportOf(kept, source, sink);
  if (support === undefined) return undefined;
  const far = tooFar(session, support);
  if (far.size > 0) {
    const near = connected(
      kept.filter((edge) => !far.has(edge)),
      source,
      sink,
    );
    return settle(session, near, sellAmount, flow.logPrices);
  }
  const position = new Map(edges.map((edge, i) => [edge, i]));
  const pick = (values: Float64Array) => kept.map((edge) => values[position.get(edge) as number] as number);
  const carried = carry(support, source, sink, sellAmount, pick(flow.sells));
  session.steps += kept.length;
  return {
    support,
    sellAmount,
    ...carried,
    profits: pick(flow.profits),
    logPrices: lifted(support, carried.sells, sink, flow.logPrices),
  };
}

/**
 * The prices, none lower than what one more unit would bring: where every way on is full, the dual knows no price above
 * zero, and the next solution should not have to climb back from there.
 */
function lifted(
  support: Support,
  sells: readonly number[],
  sink: number,
  logPrices: ReadonlyMap<number, number>,
): Map<number, number> {
  const prices = new Map(logPrices);
  const sold = new Map(support.edges.map((edge, i) => [edge, sells[i] as number]));
  for (let at = support.order.length - 1; at >= 0; at--) {
    const node = support.order[at] as number;
    const leaving = support.leaving.get(node) ?? [];
    if (node === sink) continue;
    const roomy = leaving.filter((edge) => (sold.get(edge) as number) < FULL * edge.curve.maxSell);
    let least = Number.NEGATIVE_INFINITY;
    for (const edge of roomy.length > 0 ? roomy : leaving) {
      const rate = edge.curve.marginalRate(Math.min(sold.get(edge) as number, FULL * edge.curve.maxSell));
      least = Math.max(least, Math.log(rate) + (prices.get(edge.to) as number));
    }
    prices.set(node, Math.max(prices.get(node) as number, least));
  }
  return prices;
}

/** The edge that leaves a node at the best price; where a trade is too small to move prices, floats see no flow at all. */
function cheapest(edges: readonly Edge[], node: number, logPrices: ReadonlyMap<number, number>): Edge | undefined {
  let best: Edge | undefined;
  let most = Number.NEGATIVE_INFINITY;
  for (const edge of edges) {
    const worth = Math.log(edge.spot) + (logPrices.get(edge.to) as number);
    if (edge.from !== node || worth <= most) continue;
    best = edge;
    most = worth;
  }
  return best;
}
