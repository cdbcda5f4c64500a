import { type Bundle, bundles, createBundle } from "../edges/bundle.ts";
import { byRank } from "../edges/flat-graph.ts";
import type { EdgeGraph } from "../graph/edge-store.ts";
import type { Search } from "./search.ts";

/** Everything that leads from one hub to another. */
export interface Parallel {
  /** Bundle of the stretches with a constant product; undefined if there are none. */
  readonly bundle: Bundle | undefined;
  /** The slots of all other curves. */
  readonly others: readonly number[];
}

/** Tokens that count as hubs. */
const MAX_HUBS = 48;
/** Pools from hub to hub, on average, from which on bundles are worth having. */
const WORTH_IT = 4;
const NOTHING: Parallel = { bundle: undefined, others: [] };

/** The pools between the best-connected tokens of a graph, bundled when asked for and kept as long as they stay the same. */
export function createHubBundles(graph: EdgeGraph) {
  const all = hubsOf(graph);
  const index = new Int32Array(graph.size).fill(-1);
  all.forEach((hub, i) => {
    index[hub] = i;
  });
  const pairs = slotsOfPairs(graph, all, index);
  const filled = pairs.filter((slots) => slots !== undefined);
  const hubs = filled.flat().length >= WORTH_IT * filled.length ? all : [];
  if (hubs.length === 0) index.fill(-1);
  const kept: (Parallel | undefined)[] = [];
  /** The graph's `puts` up to which it is known which edges have changed. */
  let seen = graph.puts;
  const keyOf = (from: number, to: number) => (index[from] as number) * hubs.length + (index[to] as number);
  const joins = (from: number, to: number) => index[from] !== -1 && index[to] !== -1;
  const parallelOf = (slots: readonly number[]): Parallel => {
    const rated = slots.filter((slot) => (graph.spot[slot] as number) > 0);
    const bundled = rated.filter((slot) => bundles(graph, slot));
    const others = bundled.length === rated.length ? [] : rated.filter((slot) => !bundles(graph, slot));
    return { bundle: bundled.length > 0 ? createBundle(graph, bundled) : undefined, others };
  };
  return {
    hubs,
    /** Whether pools between these nodes are bundled. */
    joins,
    /** Forgets what was made of edges that have changed: all, where a block was missed. Each search does so first. */
    follow() {
      if (seen === graph.puts) return;
      const { slots, since } = graph.latest;
      if (since === seen)
        for (const slot of slots) {
          const [from, to] = [graph.from[slot] as number, graph.to[slot] as number];
          if (joins(from, to)) kept[keyOf(from, to)] = undefined;
        }
      else kept.length = 0;
      seen = graph.puts;
    },
    /** Parallel edges that the search's request may use from one hub to another. */
    between(search: Search, from: number, to: number): Parallel {
      const key = keyOf(from, to);
      const slots = pairs[key];
      if (slots === undefined) return NOTHING;
      search.work.steps += slots.length;
      if (!slots.every(search.allowsSlot)) return parallelOf(slots.filter(search.allowsSlot));
      const parallel = kept[key] ?? parallelOf(slots);
      kept[key] = parallel;
      return parallel;
    },
  };
}

export type HubBundles = ReturnType<typeof createHubBundles>;

/** The nodes with most slots; the order does not depend on which token was known first. */
function hubsOf(graph: EdgeGraph): readonly number[] {
  const { size, start, live, dead } = graph;
  const count = (node: number) => (live[node] as number) - (start[node] as number);
  const rank = byRank(graph);
  const nodes = Array.from({ length: size }, (_, node) => node).filter((node) => dead[node] === 0 && count(node) > 0);
  return nodes.sort((a, b) => count(b) - count(a) || rank(start[a] as number, start[b] as number)).slice(0, MAX_HUBS);
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
