import { type Edge, isPassedOnce } from "../edges/edges.ts";
import type { Search } from "../session/search.ts";
import { mostGained, mostGainedBy } from "./most-gained.ts";
import type { PathDirection } from "./path-direction.ts";

/** A chain of edges, from the source on, and what the amount that it was found for becomes at its other end. */
export interface FoundPath {
  readonly edges: readonly Edge[];
  readonly amount: number;
}

/** Amount at a node after an edge, and its accumulated terms. */
interface Label {
  readonly node: number;
  readonly amount: number;
  /** The gas of the path so far, in value at spot prices. */
  readonly spent: number;
  readonly edge?: Edge;
  readonly before?: Label;
}

/** Room for rounding where labels are left out because they can bring no more than what is known already, as a part of it. */
const ROUNDING = 1e-9;

/**
 * The path of at most `maxHops` pools on which an amount becomes most, or that takes least for it, net of `costPerGas` in
 * units of its other end. One label a token and layer, the best amount first: curves are monotone, so it is the best to go on
 * with. Labels are not followed that with all that pools out of line could add are worth no more than the best path known so
 * far. `becomes`: what an edge makes of an amount; undefined where it makes nothing.
 */
export function bestPath(
  search: Search,
  way: PathDirection,
  amount: number,
  costPerGas: number,
  becomes: PathDirection["becomes"] = way.becomes,
): FoundPath | undefined {
  const { maxHops, graph, leastGas, work, missed } = search;
  const { begin, end, sells, lastEnd, traded, atBest } = way;
  const { start, live, to, twin, spot, spotBack, rest, gas, edgeAt } = graph;
  const sign = sells ? 1 : -1;
  const gasValue = costPerGas * (rest[end] as number);
  const leastCost = gasValue * leastGas;
  let best: Label | undefined;
  /** Value of the best path at spot prices, net of its gas, and labels of each node. */
  let floor = Number.NEGATIVE_INFINITY;
  const known = new Map<number, number>();
  const worthOf = (node: number, amount: number, spent: number) => sign * amount * (rest[node] as number) - spent;

  /** The label that a slot of the trade leads to, where it is worth more than `least`, and its amount alone than `bar`. */
  const extended = (label: Label, slot: number, node: number, bar: number, least: number, left: number) => {
    const most = atBest(slot, label.amount);
    if (!(worthOf(node, most, 0) > bar)) return undefined;
    if (!(worthOf(node, most, label.spent + gasValue * (gas[slot] as number)) > least)) return undefined;
    if (!search.allowsSlot(slot)) return undefined;
    const edge = edgeAt(slot);
    const amount = becomes(edge, label.amount);
    if (amount === undefined || (sells && amount === 0)) return undefined;
    const spent = label.spent + gasValue * (sells ? edge.gas : (edge.curve.gasToBuy ?? edge.gas));
    if (!(worthOf(node, amount, 0) > bar && worthOf(node, amount, spent) > least)) return undefined;
    if (!repeats(label, edge, node, search.revisits)) return { node, amount, spent, edge, before: label };
    missed.labels.push({ node, amount, left });
    return undefined;
  };

  let labels = new Map<number, Label>([[begin, { node: begin, amount, spent: 0 }]]);
  for (let hop = 1; hop <= maxHops && labels.size > 0; hop++) {
    work.steps += lastEnd - (start[end] as number);
    for (let slot = start[end] as number; slot < lastEnd; slot++) {
      const label = labels.get(to[slot] as number);
      const closed = label && extended(label, traded(twin[slot] as number), end, Number.NEGATIVE_INFINITY, floor, 0);
      if (closed === undefined) continue;
      best = closed;
      floor = worthOf(end, closed.amount, closed.spent);
    }
    const left = maxHops - hop;
    if (left === 0) break;
    const loose = floor - ROUNDING * Math.abs(floor);
    const bonus = sells
      ? mostGainedBy(search, left, Math.max(0, floor + leastCost))
      : mostGained(search, best === undefined ? 0 : -floor) ** left;
    const layer = new Map<number, Label>();
    for (const label of labels.values()) {
      // A path to sell makes no more of a label than `bonus`; one to buy takes less only where a label needs less than that.
      let bar = Number.NEGATIVE_INFINITY;
      if (best !== undefined) bar = sells ? (loose + label.spent + 2 * leastCost) / bonus : label.spent + loose * bonus;
      const last = live[label.node] as number;
      work.steps += last - (start[label.node] as number);
      for (let slot = start[label.node] as number; slot < last; slot++) {
        const node = to[slot] as number;
        // Most slots lead nowhere that is worth it: told before anything else is looked at.
        const most = sells ? (spot[slot] as number) * label.amount : label.amount / (spotBack[slot] as number);
        if (!(sign * most * (rest[node] as number) > bar) || most === 0 || node === begin || node === end) continue;
        if (left === 1 && !way.closes(node)) continue;
        const found = extended(label, traded(slot), node, bar, known.get(node) ?? Number.NEGATIVE_INFINITY, left);
        if (found === undefined) continue;
        layer.set(node, found);
        known.set(node, worthOf(node, found.amount, found.spent));
      }
    }
    labels = layer;
  }
  if (best === undefined) return undefined;
  const edges: Edge[] = [];
  for (let at: Label | undefined = best; at?.edge !== undefined; at = at.before) edges.push(at.edge);
  return { edges: sells ? edges.reverse() : edges, amount: best.amount };
}

/** Whether the path to a label has already seen the token or the pool that an edge would bring. */
function repeats(label: Label, next: Edge, node: number, revisits: boolean): boolean {
  const once = isPassedOnce(next, revisits);
  for (let at: Label | undefined = label; at !== undefined; at = at.before)
    if (at.node === node || (at.edge?.poolNumber === next.poolNumber && (once || at === label))) return true;
  return false;
}
