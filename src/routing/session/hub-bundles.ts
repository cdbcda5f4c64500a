import { type Bundle, bundles, createBundle } from "../edges/bundle.ts";
import type { EdgeGraph } from "../graph/edge-store.ts";
import type { Search } from "./search.ts";

/** Everything that leads from one hub to another. */
export interface Parallel {
  /** Bundle of the stretches with a constant product; undefined if there are none. */
  readonly bundle: Bundle | undefined;
  /** The slots of all other curves. */
  readonly others: readonly number[];
}

/** Pools from hub to hub, on average, from which on bundles are worth having. */
const WORTH_IT = 4;
const NOTHING: Parallel = { bundle: undefined, others: [] };

/** The pools between the best-connected tokens of a graph, bundled when asked for and kept as long as they stay the same. */
export function createHubBundles(graph: EdgeGraph) {
  const filled = graph.links.filter(({ length }) => length > 0);
  const hubs = filled.flat().length >= WORTH_IT * filled.length ? graph.hubs : [];
  const index = new Int32Array(graph.size).fill(-1);
  hubs.forEach((hub, i) => {
    index[hub] = i;
  });
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
      const slots = graph.links[key] as readonly number[];
      if (slots.length === 0) return NOTHING;
      search.work.steps += slots.length;
      if (!slots.every(search.allowsSlot)) return parallelOf(slots.filter(search.allowsSlot));
      const parallel = kept[key] ?? parallelOf(slots);
      kept[key] = parallel;
      return parallel;
    },
  };
}

export type HubBundles = ReturnType<typeof createHubBundles>;
