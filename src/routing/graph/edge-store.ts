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
const MAX_LAYOUTS = 6;

/** Follows graph after graph: what changed is put in its place; new pools and lost ones lay everything out anew. */
export function createEdgeStore(): EdgeStore {
  /** The one that was used last comes first. */
  const layouts: Layout[] = [];
  return {
    graph(graph, wrappers = new Map()) {
      const same = [NATIVE_TOKEN, ...wrappers.keys()];
      const alike = layouts.filter((layout) => layout.same.join() === same.join());
      const known = alike.find((layout) => layout.followed === graph) ?? alike.find((layout) => layout.follow(graph));
      // A layout of an earlier block gives way to the new one.
      const oldest = alike.at(-1);
      const full = layouts.length === MAX_LAYOUTS ? layouts.at(-1) : undefined;
      const leaving = known ?? (oldest?.followed.time === graph.time ? full : (oldest ?? full));
      if (leaving !== undefined) layouts.splice(layouts.indexOf(leaving), 1);
      const layout = known ?? new Layout(graph, same, alike[0]);
      layouts.unshift(layout);
      return layout.flat;
    },
  };
}
