import type { Edge } from "../edges/edges.ts";
import { isBetter, isDone, resize, solveGoal } from "../flow/goal.ts";
import type { Split } from "../flow/solve-split.ts";
import { startingFlow } from "../paths/starting-flow.ts";
import type { Search } from "../session/search.ts";
import { addColumns, COARSE, isVisiblyBetter, ROUGH } from "./add-columns.ts";
import { reorder } from "./order-search.ts";
import { flowOver, prune } from "./prune.ts";
import { flowsOver } from "./warm-start.ts";

/** Other amounts that a search begins with, as multiples of the trade's. */
const SCALES = [1 / 8, 4, 16];
/** Scales of a deep search, and limit on rescalings of its best flow that others may join. */
const DEEP_SCALES = [1 / 64, 1 / 16, 1 / 4, 2, 8, 64];
const DETOURS = [1 / 4, 4, 1 / 2, 2];
const MAX_DETOURS = 24;

/**
 * The best of a flow and what climbs come to that begin with other amounts, by themselves and crossed with it. Where there is
 * arbitrage a climb ends at the best flow near its start: ways that join never change the order in which a flow passes its
 * tokens. Less or more of the trade begins with other paths, and so with other orders; the best of them is searched further.
 */
export function restart(search: Search, start: Split, known?: Split): Split {
  let best = start;
  for (const scale of SCALES) best = joined(search, best, improveAt(search, scale, best));
  if (known !== undefined) best = joined(search, best, addColumns(search, known, ROUGH));
  return addColumns(search, reorder(search, best));
}

/**
 * Restarts of a search with time: from all known routes, the best path of each length, and many amounts; then from
 * rescalings of the best flow, as long as they improve it.
 */
export function deepSearch(search: Search, start: Split): Split {
  let best = start;
  const join = (flow: Split | undefined) => {
    best = joined(search, best, flow && addColumns(search, flow, ROUGH));
  };
  for (const known of flowsOver(search, search.warm.routes, start.logPrices, start.sellAmount)) join(known);
  for (let hops = 1; hops < search.maxHops; hops++) join(startingFlow({ ...search, maxHops: hops }));
  for (const scale of DEEP_SCALES) best = joined(search, best, improveAt(search, scale, best));
  for (let tried = 0, vain = 0; vain < DETOURS.length && tried < MAX_DETOURS && !search.over(); tried++, vain++) {
    const scale = DETOURS[tried % DETOURS.length] as number;
    const next = joined(search, best, improveAt(search, scale, best, rescaled(best, scale)));
    if (isVisiblyBetter(search, next, best)) vain = -1;
    best = next;
  }
  return addColumns(search, reorder(search, best));
}

/** The better one of two flows, or of what they come to together. */
function joined(search: Search, best: Split, other: Split | undefined): Split {
  if (other === undefined || search.over()) return best;
  const [first, second] = isBetter(search, other, best) ? [other, best] : [best, other];
  const both = crossed(search, first, second);
  // A flow that is not better by itself seldom becomes so by further columns.
  return both !== undefined && isVisiblyBetter(search, both, first) ? addColumns(search, both, ROUGH) : first;
}

/** Climbs at `scale` times the amount from a flow for that, the best path, re-splits for the amount itself, and adds columns. */
function improveAt(search: Search, scale: number, best: Split, startOf = startingFlow): Split | undefined {
  const scaled = { ...search, amount: search.amount * scale };
  const start = search.over() ? undefined : startOf(scaled);
  const far = start && addColumns(scaled, prune(scaled, resize(scaled, start, 4)), ROUGH);
  const solved = far && solveGoal(search, far.support.edges, best.sellAmount, far.logPrices);
  return solved && addColumns(search, prune(search, resize(search, solved, 4)), COARSE);
}

/** The flow over the pools of another one, for `scale` times its amount; undefined where that finds no room. */
function rescaled({ support, sellAmount, logPrices }: Split, scale: number): typeof startingFlow {
  return (scaled) => {
    const flow = solveGoal(scaled, support.edges, sellAmount * scale, logPrices);
    return flow && isDone(scaled, flow) ? flow : undefined;
  };
}

/** The flow over the pools of both, those that earn most first, as far as they close no cycle. */
function crossed(search: Search, first: Split, second: Split): Split | undefined {
  const profits = new Map<Edge, number>();
  for (const { support, profits: own } of [first, second])
    support.edges.forEach((edge, i) => {
      profits.set(edge, Math.max(profits.get(edge) ?? 0, own[i] as number));
    });
  const edges = [...profits].sort((a, b) => b[1] - a[1]).map(([edge]) => edge);
  return flowOver(search, first.sellAmount, edges, new Map([...second.logPrices, ...first.logPrices]));
}
