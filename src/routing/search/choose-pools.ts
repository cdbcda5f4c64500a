import type { Edge } from "../edges/edges.ts";
import { gasInBought, gasOfTrade, isBetter, priceOf } from "../flow/goal.ts";
import type { Split } from "../flow/solve-split.ts";
import type { Support } from "../flow/support.ts";
import type { Search } from "../session/search.ts";
import { flowOver } from "./prune.ts";

/** Pools among which a choice is made. */
const MAX_CANDIDATES = 14;
/** Limit on exchanges of pools, one after the other. */
const MAX_EXCHANGES = 4;

/**
 * Chooses which of few pools to use if each pool use costs gas, by local search: those that a flow leaves out join at once, and
 * what does not earn its gas is dropped; then each pool, or line of them, gives way to another one, or to all that were left out, as
 * long as that is better. A pool that is cheaper to use, but pays less, has no part in any flow in which gas does not count.
 */
export function choosePools(search: Search, start: Split, wanted: readonly Edge[]): Split {
  if (start.support.edges.length >= MAX_CANDIDATES) return start;
  const candidates = [...new Set([...start.support.edges, ...wanted])].slice(0, MAX_CANDIDATES);
  const joined = flowOver(search, start.sellAmount, candidates, start.logPrices);
  let best = joined !== undefined && isBetter(search, joined, start) ? joined : start;
  for (let round = 0; round < MAX_EXCHANGES && !search.over(); round++) {
    let next = best;
    for (const { held, beside } of besideOf(search, best)) {
      const stay = (edge: Edge) => !held.includes(edge);
      const edges = beside === undefined ? candidates : [...best.support.edges, beside];
      const other = flowOver(search, best.sellAmount, edges.filter(stay), best.logPrices);
      if (other !== undefined && other.stuck <= next.stuck && isBetter(search, other, next)) next = other;
    }
    if (next === best) break;
    best = next;
  }
  return best;
}

/**
 * For each edge of a flow, and each line of them, the one of another pool that would bring most in their place after its gas. A second
 * entry without one stands for all that were left out.
 */
function besideOf(search: Search, flow: Split) {
  const { graph, endOf } = search;
  const { edges } = flow.support;
  const used = new Set(edges.map(({ pool }) => pool));
  const costPerGas = gasInBought(search, flow);
  const found: { readonly held: readonly Edge[]; readonly beside: Edge | undefined }[] = [];
  for (const line of linesOf(flow.support)) {
    const held = line.map((i) => edges[i] as Edge);
    const from = (held[0] as Edge).from;
    const to = (held.at(-1) as Edge).to;
    const sell = flow.sells[line[0] as number] as number;
    const price = priceOf(flow, to);
    // If a trade is worth less than its gas, so is every pool's contribution.
    let most = Number.NEGATIVE_INFINITY;
    let best: Edge | undefined;
    const end = endOf(from);
    search.work.steps += end - (graph.start[from] as number);
    for (let slot = graph.start[from] as number; slot < end; slot++) {
      if (graph.to[slot] !== to) continue;
      if ((graph.spot[slot] as number) * sell * price - (graph.gas[slot] as number) * costPerGas <= most) continue;
      const edge = graph.edgeAt(slot);
      if (used.has(edge.pool) || edge.curve.maxSell < sell || !search.allows(edge)) continue;
      const brings = edge.curve.buyAmountFor(sell) * price - gasOfTrade(search, edge, sell) * costPerGas;
      if (brings <= most) continue;
      most = brings;
      best = edge;
    }
    found.push({ held, beside: best });
    if (best !== undefined) found.push({ held, beside: undefined });
  }
  return found;
}

/** By their positions each edge of a flow, and each with those after it in line: with no other one at the tokens between. */
function linesOf({ edges, leaving, to }: Support): readonly (readonly number[])[] {
  const entering = leaving.map((_, at) => to.filter((target) => target === at).length);
  const linesFrom = (first: number): readonly (readonly number[])[] => {
    const at = to[first] as number;
    const [next, ...others] = leaving[at] as readonly number[];
    if (next === undefined || others.length > 0 || entering[at] !== 1) return [[first]];
    return [[first], ...linesFrom(next).map((line) => [first, ...line])];
  };
  return edges.flatMap((_, first) => linesFrom(first));
}
