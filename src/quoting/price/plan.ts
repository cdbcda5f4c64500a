import { type Fill, fillsOf, type Route } from "../../domain/route.ts";
import type { VenueAction } from "../../domain/venue-action.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import { taxOf } from "../../market/taxed-pools.ts";
import { curveOf } from "../../pools/pool.ts";
import type { SourceCatalog } from "../answer/route-view.ts";
import type { SwapRequest } from "../answer/types.ts";
import type { Settlement, SwapTerms, SwapTransaction } from "../ports.ts";
import type { FoundRoute } from "../search/search.ts";
import { type RouteAmounts, routeAmountsOf, termsOf } from "../search/trade.ts";
import { expectedSlippage, slippageModel, slippageOf } from "./slippage.ts";

/** A route with what it means for the taker and the terms that protect it. */
export interface Plan {
  readonly route: Route;
  readonly amounts: RouteAmounts;
  readonly terms: SwapTerms;
  readonly found: FoundRoute;
  /** Slippage of minimum and maximum, and the expected loss of the route; scaled by FRACTION_ONE. */
  readonly slippage: bigint;
  readonly expected: bigint | undefined;
}

/** `latest`: when the transaction ends, if no maker's order on the route ends before. Unix seconds. */
export function planOf(request: SwapRequest, found: FoundRoute, latest: bigint, snapshot: Snapshot): Plan {
  const { graph } = snapshot;
  const model = slippageModel(found.route, snapshot);
  const slippage = slippageOf(request, model);
  const amounts = routeAmountsOf({ ...request, slippage }, found.route);
  const deadline = fillsOf(found.route).reduce((earliest, { poolId }) => {
    const pool = graph.pool(poolId);
    const expiry = pool && curveOf(pool).expiry?.(pool.state);
    return expiry === undefined || expiry >= earliest ? earliest : expiry;
  }, latest);
  const expected = model && expectedSlippage(model);
  // By way of the gateway it would be taxed once more.
  const isTaxed = taxOf(graph, request.buyToken.address) !== undefined;
  const terms = termsOf(isTaxed ? withoutShare(request) : request, amounts, deadline);
  return { route: found.route, amounts, terms, found, slippage, expected };
}

function withoutShare({ surplus: _, ...request }: SwapRequest): SwapRequest {
  return request;
}

/** Setting in which a route becomes a transaction. */
interface TransactionSetting {
  readonly settlement: Settlement;
  readonly snapshot: Snapshot;
  readonly sources: SourceCatalog;
}

/** The transaction of a route under `terms`, compared with them by the independent decoder. */
export function transactionOf(
  route: Route,
  terms: SwapTerms,
  { settlement, snapshot, sources }: TransactionSetting,
): SwapTransaction {
  const action = actionsIn(snapshot, sources);
  const transaction = settlement.encode(route, terms, action);
  settlement.verify(transaction, route, terms, action);
  return transaction;
}

/** Settlement actions of fills over a snapshot's pools. */
function actionsIn({ graph }: Snapshot, sources: SourceCatalog): (fill: Fill) => VenueAction {
  return (fill) => {
    const pool = graph.pool(fill.poolId);
    const source = sources.get(fill.source);
    if (pool === undefined || source === undefined) throw new Error(`the route names an unknown pool ${fill.poolId}`);
    return source.action(pool, fill);
  };
}

/** Whether a route leans on maths that was not compared with a contract: then nothing but a simulation proves it. */
export function isModelled(route: Route, sources: SourceCatalog, { graph }: Pick<Snapshot, "graph">): boolean {
  return fillsOf(route).some((fill) => {
    const source = sources.get(fill.source);
    const pool = graph.pool(fill.poolId);
    return source?.assurance === "modelled" || (pool !== undefined && source?.isModelled?.(pool) === true);
  });
}
