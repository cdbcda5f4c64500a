import type { Edge } from "../edges/edges.ts";
import { gasesOf, gasInBought, gasOfTrade, isBetter, netOf, priceOf, resize, solveGoal } from "../flow/goal.ts";
import type { Split } from "../flow/solve-split.ts";
import { connected, withoutCycles } from "../flow/support.ts";
import type { Search } from "../session/search.ts";
import { without } from "./prune.ts";

/** Pools among which a choice is made, and how many flows may be solved for it. */
const MAX_CANDIDATES = 14;
const MAX_FLOWS = 60;
/** Promise of a branch above the best known flow from which it is explored, as a part of the trade's value. */
const MIN_PROMISE = 1e-7;

/**
 * Chooses which of few pools to use if each pool use costs gas: branch and bound over the pools that are left out. A flow
 * over all pools that are still in the choice, gas aside, has prices at which each earns a profit; a pool is worth no more than
 * that to the flow, so that no choice among them is better than this flow with the gas of each pool counted only as far
 * as its profit goes. The pools whose gas is above that profit are left out in turn, the worst first; those left out
 * before are then to stay.
 */
export function choosePools(search: Search, start: Split, wanted: readonly Edge[]): Split {
  if (start.support.edges.length >= MAX_CANDIDATES) return start;
  const candidates = [...new Set([...start.support.edges, ...wanted])];
  const { source, sink } = search;
  const fitting = connected(search, withoutCycles(candidates.slice(0, MAX_CANDIDATES), source, sink));
  const root = solveGoal(search, fitting, start.sellAmount, start.logPrices);
  if (root === undefined) return start;
  let best = start;
  let flows = 1;

  const explore = (flow: Split, staying: ReadonlySet<Edge>): void => {
    if (flow.support.edges.length <= search.maxFills && isBetter(search, flow, best)) best = flow;
    const costPerGas = gasInBought(search, flow);
    /** Value of a bought unit in the units of the search. */
    const unit = search.side === "exactIn" ? 1 : 1 / priceOf(flow, source);
    const promise = MIN_PROMISE * flow.sellAmount * priceOf(flow, source) * unit;
    const gases = gasesOf(search, flow);
    const open = flow.support.edges
      .map((edge, i) => ({ edge, short: (gases[i] as number) * costPerGas - (flow.profits[i] as number) }))
      .filter(({ edge, short }) => short > 0 && !staying.has(edge))
      .sort((a, b) => b.short - a.short);
    let ceiling = netOf(search, flow) + open.reduce((sum, { short }) => sum + short, 0) * unit;
    const stay = new Set(staying);
    for (const { edge, short } of open) {
      if (flows >= MAX_FLOWS || search.over()) return;
      if (flow.stuck === 0 && best.stuck === 0 && ceiling <= netOf(search, best) + promise) return;
      const next = without(search, flow, new Set([edge]));
      flows++;
      if (next !== undefined) explore(next, stay);
      stay.add(edge);
      ceiling -= short * unit;
    }
  };
  explore(resize(search, root, 4), new Set());
  return withPoolsExchanged(search, best);
}

/** Pools that are put in the place of others, one after the other. */
const MAX_EXCHANGES = 4;

/**
 * Puts pools in the place of others as long as that is better: one that is cheaper to use, but pays less, has no part in
 * any flow in which gas does not count.
 */
function withPoolsExchanged(search: Search, start: Split): Split {
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

/** For each edge of a flow, and each line of them, the one of another pool that would bring most in their place after its gas. */
function besideOf(search: Search, flow: Split) {
  const { graph, endOf } = search;
  const { edges } = flow.support;
  const used = new Set(edges.map(({ pool }) => pool));
  const costPerGas = gasInBought(search, flow);
  const found: { readonly held: readonly Edge[]; readonly beside: Edge }[] = [];
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
