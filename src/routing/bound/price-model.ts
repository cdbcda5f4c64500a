import type { Bundle } from "../edges/bundle.ts";
import type { Edge } from "../edges/edges.ts";
import { hyperbolaAt, tradeAt } from "../edges/trade-at.ts";
import { solveFlow } from "../flow/flow.ts";
import type { Trade } from "../flow/flow-dual.ts";
import { slotsAmong } from "../session/edges-among.ts";
import type { Search } from "../session/search.ts";

/** Problem over which prices are minimised. */
export interface Model {
  /** The tokens whose prices move, with the prices to begin with. */
  nodes: Map<number, number>;
  /** Slots between all these. */
  readonly slots: Set<number>;
  /** All pools between two hubs at once. */
  readonly bundles: Bundle[];
}

/** Tokens whose prices are minimised over together. */
const MAX_NODES = 512;
/** Part of the ratio of prices below which a pool's rate begins too low for the pool to be minimised over. */
const BAND = 0.95;
/** Tolerance of the flow that supplies its edges, as a part of the trade's value. */
const FLOWING = 1e-9;
/** Part of the largest flow below which an edge carries nothing, and how many are taken at most. */
const TRACE = 1e-6;
const MAX_CARRYING = 1536;

export function emptyModel(): Model {
  return { nodes: new Map(), slots: new Set(), bundles: [] };
}

/** Lets these tokens move as well, from the prices given, and adds all that leads between them and the others that do. */
export function extend(
  search: Search,
  model: Model,
  nodes: readonly number[],
  priceOf: (node: number) => number,
): void {
  const hubs = search.bundles;
  const added: number[] = [];
  const begun = model.bundles.length + model.slots.size > 0;
  for (const node of nodes) {
    if (model.nodes.has(node) ? begun : model.nodes.size >= MAX_NODES) continue;
    if (!model.nodes.has(node)) model.nodes.set(node, priceOf(node));
    added.push(node);
  }
  for (const slot of slotsAmong(search, model.nodes, added, BAND, (from, to) => !hubs.joins(from, to)))
    model.slots.add(slot);
  const known = [...model.nodes.keys()].filter((node) => hubs.joins(node, node));
  const isFresh = new Set(added);
  for (const from of known) {
    for (const to of known) {
      if (from === to || (!isFresh.has(from) && !isFresh.has(to)) || !search.usable(from, to)) continue;
      const { bundle, others } = hubs.between(search, from, to);
      if (bundle !== undefined) model.bundles.push(bundle);
      for (const slot of others) model.slots.add(slot);
    }
  }
}

/** Lets these slots join as well, where both their tokens may move and they are not bundled. */
export function join({ graph: { from, to }, bundles }: Search, model: Model, slots: readonly number[]): void {
  for (const slot of slots) {
    const [a, b] = [from[slot] as number, to[slot] as number];
    if (model.nodes.has(a) && model.nodes.has(b) && !bundles.joins(a, b)) model.slots.add(slot);
  }
}

/**
 * The trade at the prices of some of the tokens, solved until what each token gets is what it gives: its edges that carry
 * more than a trace, those that carry most first.
 */
export function carryingAt(
  search: Search,
  model: Model,
  logPrices: ReadonlyMap<number, number>,
  trade: Trade,
): readonly Edge[] {
  const { graph, sink } = search;
  const known = (node: number) => logPrices.has(node) || node === sink;
  const slots = [...model.slots].filter((slot) => known(graph.from[slot] as number) && known(graph.to[slot] as number));
  const bundles = model.bundles.filter(({ from, to }) => known(from) && known(to));
  if (slots.length + bundles.length === 0) return [];
  const edges = slots.map(graph.edgeAt);
  const flow = solveFlow(search, { edges, bundles }, trade, logPrices, FLOWING);
  const price = (node: number) => Math.exp(flow.logPrices.get(node) as number);
  const carrying = edges.map((edge, i) => ({
    edge,
    value: (flow.sells[i] as number) * price(edge.from) + (flow.profits[i] as number),
  }));
  const made = new Float64Array(3);
  for (const { from, to, slots, spot } of bundles) {
    const rate = price(from) / price(to);
    if (spot <= rate) continue;
    for (const slot of slots) {
      if ((graph.spot[slot] as number) <= rate) continue;
      const edge = graph.edgeAt(slot);
      if (!hyperbolaAt(graph.spot[slot] as number, graph.depth[slot] as number, rate, made))
        tradeAt(edge.curve, rate, made);
      carrying.push({ edge, value: (made[1] as number) * price(to) });
    }
  }
  const most = carrying.reduce((all, { value }) => Math.max(all, value), 0);
  return carrying
    .filter(({ value }) => value > TRACE * most)
    .sort((a, b) => b.value - a.value)
    .slice(0, MAX_CARRYING)
    .map(({ edge }) => edge);
}
