import { takesAll } from "../../pools/pool-math.ts";
import type { Edge } from "../edges/edges.ts";
import type { Search } from "../session/search.ts";
import { takenBy } from "./cheapest-path.ts";
import { deepestOf } from "./deepest.ts";
import { exactly } from "./whole-units.ts";

/** Which way paths are followed: an amount to sell from the source on, an amount to buy from the sink back. */
export interface Way {
  readonly begin: number;
  readonly end: number;
  /** The slot behind the last one of a node that paths leave, and of the end. */
  readonly endOf: (node: number) => number;
  readonly lastEnd: number;
  /** The slot of the trade, for one that leads along the way. */
  readonly traded: (slot: number) => number;
  /** What an amount becomes over a slot of the trade, at best. */
  readonly atBest: (slot: number, amount: number) => number;
  /** What it takes at best to become an amount there. */
  readonly before: (slot: number, amount: number) => number;
  /** What an amount becomes; undefined where the pool does not do it. */
  readonly becomes: (edge: Edge, amount: number) => number | undefined;
  /** Whether an amount does where another is needed: no less of one to sell, no more of one to buy. */
  readonly does: (amount: number, needed: number) => boolean;
  /** An amount that none does for. */
  readonly never: number;
}

/** Room for the rounding of floats where paths are not followed, as a part of an amount. */
const ROUNDING = 1e-9;

export function wayOf(search: Search): Way {
  const { source, sink, endOf, entryEnd, graph } = search;
  const { pays, takes } = deepestOf(graph);
  if (search.side === "exactIn")
    return {
      ...{ begin: source, end: sink, endOf, lastEnd: entryEnd, traded: (slot) => slot },
      ...{ atBest: pays, before: takes, never: Number.POSITIVE_INFINITY },
      // What a pool takes to be full is rounded up.
      becomes: (edge, amount) =>
        takesAll(edge.curve, amount - 1) ? exactly(search, edge, amount, edge.curve.buyAmountFor(amount)) : undefined,
      does: (amount, needed) => amount >= needed * (1 - ROUNDING),
    };
  return {
    ...{ begin: sink, end: source, lastEnd: endOf(source), traded: (slot) => graph.twin[slot] as number },
    ...{ atBest: takes, before: pays, never: 0 },
    endOf: (node) => (node === sink ? entryEnd : (graph.live[node] as number)),
    becomes: (edge, amount) => takenBy(search, edge, amount),
    does: (amount, needed) => amount <= needed * (1 + ROUNDING),
  };
}

/**
 * What is needed at a node for `enough` to come of it at the end, over at most so many pools more: no path does with less.
 * Valid until the next call of it or of neededFor, and while it is not over.
 */
export function neededOn(
  search: Search,
  way: Way,
  enough: number,
  isTooMuch: (steps: number) => boolean,
): (node: number, left: number) => number {
  const { graph, workspace } = search;
  const { start, live, to, twin } = graph;
  const { begin, end, endOf, lastEnd, traded, before, does, never } = way;
  /** With one pool to come; with two at most, once that is asked for. */
  const { needed } = workspace;
  needed.fill(never, 0, graph.size);
  const entries: number[] = [];
  /** Takes in what comes to a node by a slot that leads against the way. */
  const hear = (slot: number, amount: number) => {
    const node = to[slot] as number;
    const there = before(traded(twin[slot] as number), amount);
    if (!does(there, needed[node] as number)) needed[node] = there;
  };
  for (let slot = start[end] as number; slot < lastEnd; slot++) {
    if (needed[to[slot] as number] === never) entries.push(to[slot] as number);
    hear(slot, enough);
  }
  search.work.steps += lastEnd - (start[end] as number);
  let isTold = false;
  const hearOfTwo = () => {
    isTold = true;
    const slots = entries.reduce((sum, node) => sum + (live[node] as number) - (start[node] as number), 0);
    search.work.steps += slots;
    if (isTooMuch(0)) return;
    const withOne = entries.map((node) => needed[node] as number);
    entries.forEach((node, i) => {
      if (node === begin) return;
      for (let slot = start[node] as number; slot < (live[node] as number); slot++)
        if (to[slot] !== end) hear(slot, withOne[i] as number);
    });
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
