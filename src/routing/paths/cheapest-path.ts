import { mathOf } from "../../pools/pool.ts";
import { isRejection } from "../../pools/pool-math.ts";
import type { Edge } from "../edges/edges.ts";
import { sellAmountFor } from "../plan/sell-amount.ts";
import type { Search } from "../session/search.ts";
import { mostGained } from "./most-gained.ts";
import { reachedWith } from "./reached-with.ts";
import { COARSE } from "./whole-units.ts";

/** A chain of edges and what it takes for the amount it was found for. */
export interface PurchasePath {
  readonly edges: readonly Edge[];
  readonly sellAmount: number;
}

/** What a token's way to the sink takes of it, by which edge it goes, and how it goes on from there. */
interface Label {
  readonly node: number;
  readonly amount: number;
  /** The gas of the way, in value at rest; and with it the amount in the same. */
  readonly spent: number;
  readonly worth: number;
  readonly edge: Edge | undefined;
  readonly next: Label | undefined;
}

/** Room for rounding where labels are left out because they take more than what is known already. */
const ROUNDING = 1 + 1e-9;

/**
 * The path of at most `maxHops` pools that takes least for `buyAmount`, gas at `costPerGas` in sold units included: from the
 * sink back one label a token and layer, the least amount first (curves are monotone, so the least amount is the best to
 * go on with). Labels are not followed that take more, at rest and with all that pools out of line could add, than the best
 * path known so far. Undefined where no path pays the amount.
 */
export function cheapestPath(search: Search, buyAmount: number, costPerGas: number): PurchasePath | undefined {
  const { source, sink, maxHops, graph, endOf } = search;
  const { start, live, to, twin, spot, spotBack, deepest, rest, gas, edgeAt } = graph;
  const gasValue = costPerGas * (rest[source] as number);
  let best: Label | undefined;
  const known = new Map<number, number>();
  let labels = new Map<number, Label>([
    [
      sink,
      {
        node: sink,
        amount: buyAmount,
        spent: 0,
        worth: buyAmount * (rest[sink] as number),
        edge: undefined,
        next: undefined,
      },
    ],
  ]);

  /** The label of a slot's first token where that takes less than `most` in value; `slot` leads to the label's token. */
  const through = (slot: number, node: number, label: Label, most: number, left: number): Label | undefined => {
    const needed = label.amount;
    const unit = rest[node] as number;
    let spent = label.spent + gasValue * (gas[slot] as number);
    const least = needed / (spot[slot] as number);
    if (!(spent + least * unit < most)) return undefined;
    // No curve takes less than the deepest hyperbola that it may be.
    const taken = needed / ((spot[slot] as number) - needed / (deepest[slot] as number));
    if (taken < 0 || spent + taken * unit >= most) return undefined;
    if (!search.allowsSlot(slot)) return undefined;
    const edge = edgeAt(slot);
    for (let at: Label | undefined = label; at !== undefined; at = at.next)
      if (at.node === node || at.edge?.poolNumber === edge.poolNumber) {
        search.missed.labels.push({ node, amount: taken, left });
        return undefined;
      }
    spent = label.spent + gasValue * (edge.curve.gasToBuy ?? (gas[slot] as number));
    const amount = takenBy(search, edge, needed);
    const worth = amount === undefined ? Number.POSITIVE_INFINITY : spent + amount * unit;
    return amount === undefined || worth >= most ? undefined : { node, amount, spent, worth, edge, next: label };
  };

  const slotsOf = (node: number) => (live[node] as number) - (start[node] as number);
  /** What can be at a token two pools on from the source: looked up once labels lead to more slots than that takes. */
  let reached: Float64Array | undefined;
  let ahead = 0;
  let behind: number | undefined;
  const slotsBehind = (): number => {
    const first = to.subarray(start[source], endOf(source));
    return [...new Set(first)].reduce((sum, node) => sum + slotsOf(node), first.length);
  };
  for (let hop = 1; hop <= maxHops && labels.size > 0; hop++) {
    const bestWorth = () => best?.worth ?? Number.POSITIVE_INFINITY;
    search.work.steps += endOf(source) - (start[source] as number);
    for (let slot = start[source] as number; slot < endOf(source); slot++) {
      const label = labels.get(to[slot] as number);
      if (label !== undefined) best = through(slot, source, label, bestWorth(), 0) ?? best;
    }
    if (hop === maxHops) break;
    const left = maxHops - hop;
    const bonus = best === undefined ? 1 : mostGained(search, best.worth);
    const ceiling = bestWorth() * bonus ** left * ROUNDING;
    const { fromSource, mark } = search.workspace;
    const layer = new Map<number, Label>();
    for (const label of labels.values()) {
      if (label.worth >= ceiling) continue;
      // Of labels of the layer before, one pool more has to come.
      if (left === 1 && reached !== undefined && label.amount > ROUNDING * (reached[label.node] as number)) continue;
      const end = live[label.node] as number;
      search.work.steps += end - (start[label.node] as number);
      for (let back = start[label.node] as number; back < end; back++) {
        const node = to[back] as number;
        const least = label.amount / (spotBack[back] as number);
        if (!(label.spent + least * (rest[node] as number) < ceiling) || node === source || node === sink) continue;
        if (reached !== undefined && least > ROUNDING * (reached[node] as number)) continue;
        if (left === 1 && fromSource[node] !== mark) continue;
        const most = Math.min(ceiling, known.get(node) ?? Number.POSITIVE_INFINITY);
        const found = through(twin[back] as number, node, label, most, left);
        if (found === undefined) continue;
        layer.set(node, found);
        known.set(node, found.worth);
        if (left !== 2 || reached !== undefined || best === undefined) continue;
        ahead += slotsOf(node);
        behind ??= slotsBehind();
        if (ahead > behind) reached = reachedWith(search, best.worth / (rest[source] as number));
      }
    }
    labels = layer;
  }
  if (best === undefined) return undefined;
  const path: Edge[] = [];
  for (let at: Label | undefined = best; at?.edge !== undefined; at = at.next) path.push(at.edge);
  return { edges: path, sellAmount: best.amount };
}

/** What an edge takes for an amount, as the pool's integers have it where that makes a difference. */
export function takenBy({ time }: Search, edge: Edge, buyAmount: number): number | undefined {
  const { pool, direction, curve } = edge;
  const amount = sellAmountFor(edge, buyAmount);
  if (buyAmount < COARSE || amount < COARSE) {
    const quote = mathOf(pool).quoteExactOut(pool.state, direction, BigInt(Math.ceil(buyAmount)), time);
    return isRejection(quote) ? undefined : Number(quote.amount);
  }
  return amount < curve.maxSell ? amount : undefined;
}
