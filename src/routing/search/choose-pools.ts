import type { Edge } from "../edges/edges.ts";
import { gasesOf, gasInBought, isBetter, netOf, priceOf, resize, solveGoal } from "../flow/goal.ts";
import type { Split } from "../flow/solve-split.ts";
import { connected, withoutCycles } from "../flow/support.ts";
import type { Search } from "../session/search.ts";
import { withPoolsExchanged } from "./exchange-pools.ts";
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
