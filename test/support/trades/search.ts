import { budgetOf, FREE, graphOf } from "../../../fixtures/routing/request.ts";
import type { SwapOrder } from "../../../src/domain/order.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import type { Edge } from "../../../src/routing/edges/edges.ts";
import type { FlatGraph } from "../../../src/routing/edges/flat-graph.ts";
import { createEdgeStore } from "../../../src/routing/graph/edge-store.ts";
import type { SearchBudget } from "../../../src/routing/router.ts";
import { createSearch, type Search } from "../../../src/routing/session/search.ts";
import { Workspace } from "../../../src/routing/session/workspace.ts";

/** A new search of this order over these pools, all of them allowed, without gas. */
export function searchOf(order: SwapOrder, pools: readonly Pool[], budget: Partial<SearchBudget> = {}): Search {
  const request = { order, graph: graphOf(pools), allows: () => true, cost: FREE, budget: budgetOf(budget) };
  const graph = createEdgeStore().graph(request.graph);
  const [source, sink] = [graph.nodeOf(order.sellToken), graph.nodeOf(order.buyToken)];
  if (source === undefined || sink === undefined) throw new Error("no pool has this token");
  return createSearch(request, graph, new Workspace(), new Map(), source, sink);
}

/** All edges of a graph, by slot. */
export function edgesIn({ spot, edgeAt }: FlatGraph): readonly Edge[] {
  return Array.from(spot, (_, slot) => edgeAt(slot));
}

/** All edges of a search that do not lead back to the sold token or on from the bought one. */
export function edgesOf({ graph, source, sink }: Search): readonly Edge[] {
  return edgesIn(graph).filter((edge) => edge.to !== source && edge.from !== sink);
}
