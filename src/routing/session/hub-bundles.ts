import { Bundle, bundles } from "../edges/bundle.ts";
import type { FlatGraph } from "../edges/flat-graph.ts";
import type { Search } from "./search.ts";

/** Everything that leads from one hub to another. */
export interface Parallel {
  /** Bundle of the stretches with a constant product; undefined if there are none. */
  readonly bundle: Bundle | undefined;
  /** The slots of all other curves. */
  readonly others: readonly number[];
  /** The graph's count of those that it has followed when this was made. */
  readonly madeAt: number;
}

/** Pools from hub to hub, on average, from which on bundles are worth having. */
const WORTH_IT = 4;

/** The pools between the best-connected tokens of a graph, bundled when asked for and kept as long as they stay the same. */
export function createHubBundles(graph: FlatGraph) {
  const filled = graph.links.filter(({ length }) => length > 0);
  const hubs = filled.flat().length >= WORTH_IT * filled.length ? graph.hubs : [];
  const index = new Int32Array(graph.size).fill(-1);
  hubs.forEach((hub, i) => {
    index[hub] = i;
  });
  const kept: (Parallel | undefined)[] = [];
  const parallelOf = (slots: readonly number[]): Parallel => {
    const rated = slots.filter((slot) => (graph.spot[slot] as number) > 0);
    const bundled = rated.filter((slot) => bundles(graph, slot));
    const others = bundled.length === rated.length ? [] : rated.filter((slot) => !bundles(graph, slot));
    const bundle = bundled.length > 0 ? new Bundle(graph, bundled) : undefined;
    return { bundle, others, madeAt: graph.follows };
  };
  return {
    hubs,
    /** Whether pools between these nodes are bundled. */
    joins: (from: number, to: number) => index[from] !== -1 && index[to] !== -1,
    /** Parallel edges that the search's request may use from one hub to another. */
    between(search: Pick<Search, "allowsSlot" | "work">, from: number, to: number): Parallel {
      const key = (index[from] as number) * hubs.length + (index[to] as number);
      const slots = graph.links[key] as readonly number[];
      search.work.steps += slots.length;
      if (!slots.every(search.allowsSlot)) return parallelOf(slots.filter(search.allowsSlot));
      const known = kept[key];
      if (known !== undefined && slots.every((slot) => (graph.changedAt[slot] as number) <= known.madeAt)) return known;
      const parallel = parallelOf(slots);
      kept[key] = parallel;
      return parallel;
    },
  };
}

export type HubBundles = ReturnType<typeof createHubBundles>;
