import type { Edge } from "../edges/edges.ts";
import { gasInBought, gasOfTrade, isBetter, priceOf, resize, solveGoal } from "../flow/goal.ts";
import type { Split } from "../flow/solve-split.ts";
import type { Search } from "../session/search.ts";

/** Pools that are put in the place of others, one after the other. */
const MAX_EXCHANGES = 4;

/**
 * Puts pools in the place of others as long as that is better: one that is cheaper to use, but pays less, has no part in
 * any flow in which gas does not count.
 */
export function withPoolsExchanged(search: Search, start: Split): Split {
  let best = start;
  for (let round = 0; round < MAX_EXCHANGES && !search.over(); round++) {
    let next = best;
    for (const { held, beside } of besideOf(search, best)) {
      const gone = new Set(held);
      const edges = [...best.support.edges.filter((edge) => !gone.has(edge)), beside];
      const solved = solveGoal(search, edges, best.sellAmount, best.logPrices);
      const other = solved && resize(search, solved, 4);
      if (other !== undefined && other.stuck <= next.stuck && isBetter(search, other, next)) next = other;
    }
    if (next === best) break;
    best = next;
  }
  return best;
}

/** Edges of a flow in line, and the one of another pool that would bring most in their place after its gas. */
interface Exchange {
  readonly held: readonly Edge[];
  readonly beside: Edge;
}

/** Alternatives to each edge of a flow, and to each line of them. */
function besideOf(search: Search, flow: Split): Exchange[] {
  const { graph, endOf } = search;
  const { edges } = flow.support;
  const used = new Set(edges.map(({ pool }) => pool));
  const costPerGas = gasInBought(search, flow);
  const found: Exchange[] = [];
  for (const line of linesOf(search, flow)) {
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
    if (best !== undefined) found.push({ held, beside: best });
  }
  return found;
}

/** By their positions each edge of a flow, and each with those after it in line: with no other one at the tokens between. */
function linesOf({ source, sink }: Search, { support }: Split): number[][] {
  const { edges, leaving, order, to } = support;
  const entering = order.map(() => 0);
  for (const at of to) entering[at]! += 1;
  return edges.flatMap((_, first) => {
    const lines = [[first]];
    for (let line = [first]; ; ) {
      const at = to[line.at(-1) as number] as number;
      const [next, ...others] = leaving[at] as readonly number[];
      if (next === undefined || others.length > 0 || entering[at] !== 1 || order[at] === sink || order[at] === source)
        return lines;
      line = [...line, next];
      lines.push(line);
    }
  });
}
