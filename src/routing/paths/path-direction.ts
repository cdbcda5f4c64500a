import { takesAll } from "../../pools/pool-math.ts";
import { TRUSTED_DEPTHS } from "../edges/depth.ts";
import type { Edge } from "../edges/edges.ts";
import type { FlatGraph } from "../edges/flat-graph.ts";
import type { Search, Side } from "../session/search.ts";
import { paidBy, takenBy } from "./amounts.ts";

/** Direction in which paths are followed: an amount to sell forward from the source, one to buy back from the sink. */
export interface PathDirection {
  readonly sells: boolean;
  readonly begin: number;
  readonly end: number;
  /** The slot behind the last one of a node that paths leave, and of the end. */
  readonly endOf: (node: number) => number;
  readonly lastEnd: number;
  /** The slot of the trade, for one that leads along the way. */
  readonly traded: (slot: number) => number;
  /** Upper bound of the amount after a slot of the trade. */
  readonly atBest: (slot: number, amount: number) => number;
  /** Lower bound of the amount that becomes this one over a slot. */
  readonly before: (slot: number, amount: number) => number;
  /** Amount after an edge; undefined if the pool cannot do it. */
  readonly becomes: (edge: Edge, amount: number) => number | undefined;
  /** Whether an amount does where another is needed: no less of one to sell, no more of one to buy. */
  readonly does: (amount: number, needed: number) => boolean;
  /** Whether a pool leads from a node to the end. */
  readonly closes: (node: number) => boolean;
  /** An amount that none does for. */
  readonly never: number;
}

/** Room for the rounding of floats where paths are not followed, as a part of an amount. */
const ROUNDING = 1e-9;

export function pathDirectionOf(search: Search, side: Side): PathDirection {
  const { source, sink, endOf, entryEnd, graph, time, workspace } = search;
  const { live } = graph;
  const { pays, takes } = deepestOf(graph);
  if (side === "exactIn")
    return {
      ...{ sells: true, begin: source, end: sink, endOf, lastEnd: entryEnd, traded: (slot) => slot },
      ...{ atBest: pays, before: takes, never: Number.POSITIVE_INFINITY },
      ...{ closes: search.closes },
      // The amount that fills a pool is rounded up.
      becomes: (edge, amount) => (takesAll(edge.curve, amount - 1) ? paidBy(edge, amount, time) : undefined),
      does: (amount, needed) => amount >= needed * (1 - ROUNDING),
    };
  return {
    ...{ sells: false, begin: sink, end: source, lastEnd: endOf(source), traded: (slot) => graph.twin[slot] as number },
    ...{ atBest: takes, before: pays, never: 0 },
    closes: (node) => workspace.fromSource[node] === workspace.mark,
    endOf: (node) => (node === sink ? entryEnd : (live[node] as number)),
    becomes: (edge, amount) => takenBy(edge, amount, time),
    does: (amount, needed) => amount <= needed * (1 + ROUNDING),
  };
}

/** Bounds of what pools pay and take: each counts as the deepest hyperbola that it may be. */
function deepestOf({ spot, depth, deepest }: FlatGraph) {
  return {
    pays: (slot: number, amount: number) =>
      ((spot[slot] as number) * amount) / (1 + amount / (deepest[slot] as number)),
    takes: (slot: number, amount: number) => {
      const rate = spot[slot] as number;
      const taken = amount / (rate - amount / (deepest[slot] as number));
      const trusted = TRUSTED_DEPTHS * (depth[slot] as number);
      if (taken >= 0 && !(taken > trusted)) return taken;
      return trusted > 0 ? Math.max(amount / rate, trusted) : Number.POSITIVE_INFINITY;
    },
  };
}

/** Other ends of paths than that of the way: amounts that have to arrive at some tokens, by node. */
type Ends = Iterable<readonly [node: number, amount: number]>;

/**
 * Least amounts at nodes for `enough` to arrive at the end over at most so many more pools, or what `others` need there as the
 * second one: no path does with less. Valid until the next call of it, and while it is not over. Those with one or two pools to
 * come are in the workspace as well, once two have been asked for.
 */
export function neededOn(
  search: Search,
  way: PathDirection,
  enough: number,
  { others = [], isTooMuch = () => false }: { others?: Ends; isTooMuch?: (steps: number) => boolean } = {},
): (node: number, left: number) => number {
  const { graph, workspace } = search;
  const { start, live, to, twin, spot, spotBack, deepest } = graph;
  const { pays } = deepestOf(graph);
  const { sells, begin, end, endOf, lastEnd, traded, before, does, never } = way;
  /** With one pool to come; with two at most, once that is asked for. */
  const { needed } = workspace;
  needed.fill(never, 0, graph.size);
  const entries: number[] = [];
  /** Takes in what comes to a node by a slot that leads against the way. */
  const hear = (slot: number, amount: number) => {
    const node = to[slot] as number;
    const known = needed[node] as number;
    // Most tell of nothing new: seen before it is asked what is needed.
    if (sells ? !(amount < known * (spotBack[slot] as number)) : !(amount * (spot[slot] as number) > known)) return;
    if (!sells) {
      needed[node] = Math.max(known, pays(slot, amount));
      return;
    }
    // Not even the deepest hyperbola that the curve may be pays more than its depth at the first rate.
    const left = (spotBack[slot] as number) - amount / (deepest[twin[slot] as number] as number);
    if (left > 0) needed[node] = Math.min(known, amount / left);
  };
  for (let slot = start[end] as number; slot < lastEnd; slot++) {
    if (needed[to[slot] as number] === never) entries.push(to[slot] as number);
    hear(slot, enough);
  }
  search.work.steps += lastEnd - (start[end] as number);
  let isTold = false;
  const hearOfTwo = () => {
    isTold = true;
    const told = entries.filter((node) => node !== begin && needed[node] !== never);
    const ends = new Map([...told.map((node) => [node, needed[node] as number] as const), ...others]);
    for (const node of ends.keys()) search.work.steps += (live[node] as number) - (start[node] as number);
    if (isTooMuch(0)) return;
    for (const [node, amount] of ends)
      for (let slot = start[node] as number; slot < (live[node] as number); slot++)
        if (to[slot] !== end) hear(slot, amount);
  };
  const withMore: Map<number, number>[] = [];
  const neededAt = (node: number, left: number): number => {
    if (node === end) return enough;
    if (left > 1 && !isTold) hearOfTwo();
    if (left <= 2) return left > 0 ? (needed[node] as number) : never;
    withMore[left] ??= new Map();
    const known = withMore[left] as Map<number, number>;
    const told = known.get(node);
    if (told !== undefined || isTooMuch(endOf(node) - (start[node] as number))) return told ?? never;
    let least = neededAt(node, left - 1);
    search.work.steps += endOf(node) - (start[node] as number);
    for (let slot = start[node] as number; slot < endOf(node); slot++) {
      const target = to[slot] as number;
      if (target === begin || target === end) continue;
      const behind = neededAt(target, left - 1);
      if (behind === never) continue;
      const there = before(traded(slot), behind);
      if (!does(there, least)) least = there;
    }
    known.set(node, least);
    return least;
  };
  return neededAt;
}
