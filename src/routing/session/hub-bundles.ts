import { type Bundle, bundles, createBundle } from "../edges/bundle.ts";
import type { Edge } from "../edges/edges.ts";
import { byRank } from "../edges/flat-graph.ts";
import type { EdgeGraph } from "../graph/edge-store.ts";
import type { Session } from "./session.ts";

/** Everything that leads from one hub to another. */
export interface Parallel {
  /** What is made of stretches that keep a product constant; undefined where nothing is. */
  readonly bundle: Bundle | undefined;
  /** The slots of all other curves. */
  readonly others: readonly number[];
}

/** The pools between the best-connected tokens of a graph, bundled when asked for and kept as long as they stay the same. */
export interface HubBundles {
  readonly hubs: readonly number[];
  /** Whether pools between these nodes are bundled. */
  joins(from: number, to: number): boolean;
  /** What the session's request may use from one hub to another. */
  between(session: Session, from: number, to: number): Parallel;
}

/** Tokens that count as hubs. */
const MOST_HUBS = 48;
/** Pools from hub to hub, on average, from which on bundles are worth having. */
const WORTH_IT = 4;
const NOTHING: Parallel = { bundle: undefined, others: [] };

interface Kept {
  readonly slots: readonly number[];
  /** The edges that the curves were made of, by position in `slots`. */
  readonly edges: Edge[];
  /** Whether edges may have changed since. */
  isOld: boolean;
  parallel: Parallel;
}

export function createHubBundles(graph: EdgeGraph): HubBundles {
  const all = hubsOf(graph);
  const index = new Int32Array(graph.size).fill(-1);
  all.forEach((hub, i) => {
    index[hub] = i;
  });
  const pairs = slotsOfPairs(graph, all, index);
  const filled = pairs.filter((slots) => slots !== undefined);
  const hubs = filled.flat().length >= WORTH_IT * filled.length ? all : [];
  if (hubs.length === 0) index.fill(-1);
  const kept: (Kept | undefined)[] = [];
  /** The graph's `puts` up to which it is known which edges have changed. */
  let seen = graph.puts;
  const keyOf = (from: number, to: number) => (index[from] as number) * hubs.length + (index[to] as number);
  const joins = (from: number, to: number) => index[from] !== -1 && index[to] !== -1;
  /** Finds out which pairs have edges that have changed: of a block that was missed nothing is known. */
  const follow = () => {
    if (seen === graph.puts) return;
    const { slots, since } = graph.latest;
    if (since !== seen) for (const one of kept) if (one !== undefined) one.isOld = true;
    for (const slot of slots) {
      const [from, to] = [graph.from[slot] as number, graph.to[slot] as number];
      const known = joins(from, to) ? kept[keyOf(from, to)] : undefined;
      if (known !== undefined) known.isOld = true;
    }
    seen = graph.puts;
  };
  return {
    hubs,
    joins,
    between(session, from, to) {
      follow();
      const key = keyOf(from, to);
      const slots = pairs[key];
      if (slots === undefined) return NOTHING;
      session.steps += slots.length;
      let known = kept[key];
      if (known === undefined) {
        const edges = slots.map((slot) => graph.edges[slot] as Edge);
        known = { slots, edges, isOld: false, parallel: parallelOf(graph, slots) };
        kept[key] = known;
      } else if (known.isOld) refresh(graph, known);
      if (slots.every(session.allowsSlot)) return known.parallel;
      return parallelOf(graph, slots.filter(session.allowsSlot));
    },
  };
}

/** Follows edges that have changed; which of them are bundled rarely changes with them. */
function refresh(graph: EdgeGraph, kept: Kept): void {
  kept.isOld = false;
  const { slots, edges, parallel } = kept;
  let hasChanged = false;
  let isSorted = true;
  for (let i = 0; i < slots.length; i++) {
    const now = graph.edges[slots[i] as number] as Edge;
    const before = edges[i] as Edge;
    if (now === before) continue;
    hasChanged = true;
    isSorted &&= bundles(now) === bundles(before) && now.spot > 0 === before.spot > 0;
    edges[i] = now;
  }
  if (!hasChanged) return;
  const { bundle, others } = parallel;
  if (!isSorted) kept.parallel = parallelOf(graph, slots);
  else if (bundle !== undefined) kept.parallel = { bundle: createBundle(graph, bundle.slots), others };
}

function parallelOf(graph: EdgeGraph, slots: readonly number[]): Parallel {
  const bundled: number[] = [];
  const others: number[] = [];
  for (const slot of slots)
    if ((graph.spot[slot] as number) > 0) (bundles(graph.edges[slot] as Edge) ? bundled : others).push(slot);
  return { bundle: bundled.length > 0 ? createBundle(graph, bundled) : undefined, others };
}

/** The nodes with most slots; the order does not depend on which token was known first. */
function hubsOf(graph: EdgeGraph): readonly number[] {
  const { size, start, live, dead } = graph;
  const count = (node: number) => (live[node] as number) - (start[node] as number);
  const rank = byRank(graph);
  const nodes = Array.from({ length: size }, (_, node) => node).filter((node) => dead[node] === 0 && count(node) > 0);
  return nodes.sort((a, b) => count(b) - count(a) || rank(start[a] as number, start[b] as number)).slice(0, MOST_HUBS);
}

/** The slots from hub to hub, by the number of the pair. */
function slotsOfPairs(graph: EdgeGraph, hubs: readonly number[], index: Int32Array): (readonly number[] | undefined)[] {
  const { start, live, to } = graph;
  const pairs: number[][] = [];
  hubs.forEach((hub, i) => {
    for (let slot = start[hub] as number; slot < (live[hub] as number); slot++) {
      const j = index[to[slot] as number] as number;
      if (j === -1) continue;
      const key = i * hubs.length + j;
      pairs[key] ??= [];
      pairs[key].push(slot);
    }
  });
  return pairs;
}
