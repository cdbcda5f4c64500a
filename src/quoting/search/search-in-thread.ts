import { warmStartOf } from "../../market/known-routes.ts";
import type { RouteRequest, Router, SearchBudget } from "../../routing/router.ts";
import { allowedBy } from "./pool-filter.ts";
import type { RequestSearch, RouteQuery, RouteSearch, Searcher } from "./route-search.ts";
import type { ThreadTurns } from "./thread-turns.ts";

/** Searches on the thread that asks, which searches share with all else. `now`: milliseconds since the epoch. */
export function createSearchInThread(router: Router, turns: ThreadTurns, now: () => number): RouteSearch {
  return {
    turns,
    begin({ account = "", deadlineMs = Number.POSITIVE_INFINITY, signal, spent, known }: Searcher): RequestSearch {
      const own = turns.begin(account);
      // Nothing more is looked for, either, for a caller that has left.
      const isOver = () => signal.aborted || now() > deadlineMs;
      return {
        pass: own.pass,
        async findBest(query) {
          await own.pass();
          return own.hold(() => router.findBest(requestOf(query, { expired: isOver, ...(spent && { spent }) })));
        },
        ...(known && { known }),
        isOver,
      };
    },
  };
}

/** Part of a snapshot that a search reads. */
type Searched = Omit<RouteQuery, "snapshot"> & {
  readonly snapshot: Pick<RouteQuery["snapshot"], "block" | "graph" | "rates" | "known">;
};

/** Router's request for a query. */
export function requestOf(
  { order, snapshot, pools, gasPrice, budget, isAnyEnough, isDeep, known, overAnyToken }: Searched,
  caller: Pick<SearchBudget, "expired" | "spent">,
): RouteRequest {
  const { hops, ...overAny } = snapshot.graph;
  const ofMarket = warmStartOf(snapshot, order);
  const routes = [...(known ?? []), ...(ofMarket?.routes ?? [])];
  const connectors = pools.limits?.connectorTokens ?? [];
  return {
    order,
    graph: overAnyToken === true && hops !== undefined ? overAny : snapshot.graph,
    allows: allowedBy(pools, order),
    cost: { gasPrice, rate: (token) => snapshot.rates.perNative(token) },
    budget: { ...budget, ...caller },
    ...(connectors.length > 0 && { connectors: new Set(connectors) }),
    ...(routes.length > 0 && { warm: { routes, explores: ofMarket?.explores ?? true } }),
    ...(isDeep && { isDeep }),
    ...(known && { tellsProof: true }),
    ...(isAnyEnough !== undefined && { isAnyEnough }),
  };
}
