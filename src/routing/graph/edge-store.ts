import { NATIVE_TOKEN } from "../../domain/address.ts";
import type { FlatGraph } from "../edges/flat-graph.ts";
import type { PoolGraph } from "../router.ts";
import { Layout } from "./layout.ts";
import type { Wrappers } from "./wrappers.ts";

/** Keeps the edges of pools that did not change from graph to graph. */
export interface EdgeStore {
  /** `wrappers`: tokens that count as the same as the native one. Valid until the next call. */
  graph(graph: PoolGraph, wrappers?: Wrappers): FlatGraph;
}

/** Layouts that are kept: graphs of one block differ by what makers offer, and by the wrappers that requests allow. */
const MAX_LAYOUTS = 4;

/** Follows graph after graph: what changed is put in its place; new pools and lost ones lay everything out anew. */
export function createEdgeStore(): EdgeStore {
  /** The one that was used last comes first. */
  const layouts: Layout[] = [];
  return {
    graph(graph, wrappers = new Map()) {
      const same = [NATIVE_TOKEN, ...wrappers.keys()];
      const alike = layouts.filter((layout) => layout.same.join() === same.join());
      const known = alike.find((layout) => layout.followed === graph) ?? alike.find((layout) => layout.follow(graph));
      if (known !== undefined) layouts.splice(layouts.indexOf(known), 1);
      else if (layouts.length === MAX_LAYOUTS || layouts.at(-1)?.followed.time !== graph.time) layouts.pop();
      const layout = known ?? new Layout(graph, same, alike[0]);
      layouts.unshift(layout);
      return layout.flat;
    },
  };
}
