import type { Edge } from "../edges/edges.ts";
import { gasOfTrade } from "../flow/goal.ts";
import type { Search } from "../session/search.ts";
import { type Label, NO_SLOT, repeats, slotsTo } from "./label.ts";
import { mostGained, mostGainedBy } from "./most-gained.ts";
import type { PathDirection } from "./path-direction.ts";

/** A chain of edges, from the source on, and what the amount that it was found for becomes at its other end. */
export interface FoundPath {
  readonly edges: readonly Edge[];
  readonly amount: number;
}

/** A label with the gas of its path so far, in value at spot prices. */
interface PathLabel extends Label {
  readonly before: PathLabel | undefined;
  readonly spent: number;
}

/** Paths that are followed, and who is told of them. */
export interface Walk {
  readonly amount: number;
  /** Cost of gas in units of the path's other end. */
  readonly costPerGas: number;
  /** Amount after an edge; undefined where it makes nothing. */
  readonly becomes: PathDirection["becomes"];
  /** Worth that a path has to exceed, net of its gas, in units of its other end: negative for an amount to buy. */
  readonly least: () => number;
  /** Told of each path that does, and its worth. */
  readonly tell: (path: FoundPath, net: number) => void;
  /** Whether enough is known. Without it only the best amount of each token and layer is followed, else all. */
  readonly isEnough?: () => boolean;
}

/** The path of at most `maxHops` pools on which an amount becomes most, or that takes least for it, net of gas. */
export function bestPath(
  search: Search,
  way: PathDirection,
  amount: number,
  costPerGas: number,
  becomes: PathDirection["becomes"] = way.becomes,
): FoundPath | undefined {
  let best: FoundPath | undefined;
  let most = Number.NEGATIVE_INFINITY;
  const tell = (path: FoundPath, net: number) => {
    best = path;
    most = net;
  };
  followPaths(search, way, { amount, costPerGas, becomes, least: () => most, tell });
  return best;
}

/** Room for rounding where labels are left out because they can bring no more than what is known already, as a part of it. */
const ROUNDING = 1e-9;

/**
 * Follows paths of at most `maxHops` pools, layer by layer: curves are monotone, so the best amount of a token is the best to go
 * on with, but where it stands in its own way. Labels are not followed that with all that pools out of line could add are worth
 * no more than what a path has to exceed.
 */
export function followPaths(search: Search, way: PathDirection, walk: Walk): void {
  const { maxHops, graph, leastGas, work, missed } = search;
  const { begin, end, sells, lastEnd, traded, atBest } = way;
  const { start, live, to, twin, spot, spotBack, rest, gas, edgeAt } = graph;
  const { becomes, isEnough } = walk;
  const sign = sells ? 1 : -1;
  const unit = rest[end] as number;
  const gasValue = walk.costPerGas * unit;
  const leastCost = gasValue * leastGas;
  const known = new Map<number, number>();
  const worthOf = (node: number, amount: number, spent: number) => sign * amount * (rest[node] as number) - spent;

  /** The label that a slot of the trade leads to, where it is worth more than `least`, and its amount alone than `bar`. */
  const extended = (label: PathLabel, slot: number, node: number, bar: number, least: number) => {
    const most = atBest(slot, label.amount);
    if (!(worthOf(node, most, 0) > bar)) return undefined;
    if (!(worthOf(node, most, label.spent + gasValue * (gas[slot] as number)) > least)) return undefined;
    if (!search.allowsSlot(slot)) return undefined;
    const edge = edgeAt(slot);
    const amount = becomes(edge, label.amount);
    if (amount === undefined || (sells && amount === 0)) return undefined;
    const used = gasValue === 0 ? 0 : gasValue * gasOfTrade(search, edge, sells ? label.amount : amount);
    const spent = label.spent + used;
    if (!(worthOf(node, amount, 0) > bar && worthOf(node, amount, spent) > least)) return undefined;
    if (!repeats(label, slot, node, graph, search.revisits)) return { node, amount, spent, slot, before: label };
    missed.repeats = true;
    return undefined;
  };
  /** Tells of the paths that end after these labels. */
  const close = (labels: ReadonlyMap<number, readonly PathLabel[]>) => {
    work.steps += lastEnd - (start[end] as number);
    for (let slot = start[end] as number; slot < lastEnd; slot++)
      for (const label of labels.get(to[slot] as number) ?? []) {
        const least = unit * walk.least();
        const closed = extended(label, traded(twin[slot] as number), end, Number.NEGATIVE_INFINITY, least);
        if (closed === undefined) continue;
        const edges = slotsTo(closed).map(edgeAt);
        const path = { edges: sells ? edges : edges.reverse(), amount: closed.amount };
        walk.tell(path, worthOf(end, closed.amount, closed.spent) / unit);
      }
  };

  const first = { node: begin, amount: walk.amount, spent: 0, slot: NO_SLOT, before: undefined };
  let labels = new Map<number, PathLabel[]>([[begin, [first]]]);
  for (let left = maxHops - 1; left >= 0 && labels.size > 0; left--) {
    close(labels);
    if (left === 0) break;
    const floor = unit * walk.least();
    const loose = floor - ROUNDING * Math.abs(floor);
    const isOpen = floor === Number.NEGATIVE_INFINITY;
    const bonus = sells
      ? mostGainedBy(search, left, Math.max(0, floor + leastCost))
      : mostGained(search, isOpen ? 0 : -floor) ** left;
    const layer = new Map<number, PathLabel[]>();
    for (const label of [...labels.values()].flat()) {
      if (isEnough?.()) return;
      // A path to sell makes no more of a label than `bonus`; one to buy takes less only where a label needs less than that.
      let bar = Number.NEGATIVE_INFINITY;
      if (!isOpen) bar = sells ? (loose + label.spent + 2 * leastCost) / bonus : label.spent + loose * bonus;
      const last = live[label.node] as number;
      work.steps += last - (start[label.node] as number);
      for (let slot = start[label.node] as number; slot < last; slot++) {
        const node = to[slot] as number;
        // Most slots lead nowhere that is worth it: told before anything else is looked at.
        const most = sells ? (spot[slot] as number) * label.amount : label.amount / (spotBack[slot] as number);
        if (!(sign * most * (rest[node] as number) > bar) || most === 0 || node === begin || node === end) continue;
        if (left === 1 && !way.closes(node)) continue;
        const found = extended(label, traded(slot), node, bar, known.get(node) ?? Number.NEGATIVE_INFINITY);
        if (found === undefined) continue;
        const others = isEnough && layer.get(node);
        if (others !== undefined) others.push(found);
        else layer.set(node, [found]);
        if (isEnough === undefined) known.set(node, worthOf(node, found.amount, found.spent));
      }
    }
    labels = layer;
  }
}
