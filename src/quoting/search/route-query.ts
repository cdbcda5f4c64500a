import type { SwapOrder } from "../../domain/order.ts";
import type { PoolId } from "../../domain/route.ts";
import type { SourceId } from "../../domain/source.ts";
import type { SwitchedOff } from "../../domain/switches.ts";
import { withOrders } from "../../market/indicative.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import { isMakers } from "../../pools/pool.ts";
import type { SourceCatalog } from "../answer/route-view.ts";
import type { SwapRequest } from "../answer/types.ts";
import { gasPriceWithData } from "../cost/data-fee.ts";
import type { MarketView, Settlement, TokenRegistry, TokenVerdicts } from "../ports.ts";
import type { KnownRoute } from "./known-route.ts";
import { allowedBy } from "./pool-filter.ts";
import type { PoolFilter, RequestSearch, RouteQuery, SearchLimits } from "./route-search.ts";
import { orderOf } from "./trade.ts";

/** Setting of a search, apart from the request. */
export interface SearchSetting {
  readonly search: RequestSearch;
  readonly sources: SourceCatalog;
  readonly snapshot: Snapshot;
  readonly gasPrice: bigint;
  readonly budget: SearchLimits;
  /** Pools that were found at fault since the snapshot; absent: none. */
  readonly hidden?: ReadonlyMap<PoolId, string>;
  /** Operator's switches. */
  readonly off: SwitchedOff;
  readonly verdicts: TokenVerdicts;
  /** Settlement whose transactions routes become. */
  readonly settlement: Pick<Settlement, "usualUse">;
  /** Lets searches of later blocks begin with a route. */
  readonly recordRoute: MarketView["recordRoute"];
  /** Told of what was searched for a request that leaves it to the service which pools it goes over. */
  readonly searched?: (query: RouteQuery) => void;
  /** Names and decimals of tokens on the way. */
  readonly tokens: Pick<TokenRegistry, "known">;
  /** Gives, once, a route that is known without a search. Absent: there is none. */
  readonly takeKnown?: () => KnownRoute | undefined;
}

/** Whether a request's filters leave a source in. Wrappers of the native token stay unless they are excluded by name. */
export function isWanted(request: SwapRequest, source: SourceId, sources: SourceCatalog): boolean {
  switch (request.sources.kind) {
    case "all":
      return true;
    case "without":
      return !request.sources.ids.includes(source);
    case "only":
      return request.sources.ids.includes(source) || sources.get(source)?.wrapsNative === true;
  }
}

/** These sources, and the wrappers of the native token. */
export function onlyThese(ids: readonly SourceId[], sources: SourceCatalog): PoolFilter["sources"] {
  const wrappers = [...sources.values()].flatMap(({ id, wrapsNative }) => (wrapsNative === true ? [id] : []));
  return { kind: "only", ids: [...ids, ...wrappers] };
}

/** Query for a request: over the pools that it wants, except those that `pools` leaves out. */
export function queryOf(request: SwapRequest, setting: SearchSetting, pools: Partial<PoolFilter> = {}): RouteQuery {
  const { snapshot, gasPrice, budget, off, sources, verdicts, settlement, hidden } = setting;
  const wanted = request.sources.kind === "only" ? onlyThese(request.sources.ids, sources) : request.sources;
  const order = orderOf(request);
  const filter: PoolFilter = {
    ...{ sources: wanted, without: new Set(), off, keptOut: verdicts.keptOut() },
    ...(request.limits && { limits: request.limits }),
    ...pools,
    ...(hidden && { without: new Set([...hidden.keys(), ...(pools.without ?? [])]) }),
  };
  return {
    order,
    snapshot: isOfMakers(snapshot) && !allowsMakers(filter, order, snapshot) ? withOrders(snapshot, []) : snapshot,
    pools: filter,
    gasPrice: gasPriceWithData(gasPrice, snapshot.dataFee, settlement.usualUse),
    budget: budgetOf(request, budget),
  };
}

/**
 * Whether all that is laid over the market is makers'. Where none of it may be used, the search goes without: it would count among
 * the pools of a token all the same, and so move where the search begins.
 */
function isOfMakers({ offers }: Snapshot): boolean {
  return offers?.pools.every(isMakers) ?? false;
}

/** Whether a filter leaves an order some of what makers offer. */
export function allowsMakers(filter: PoolFilter, order: SwapOrder, { offers }: Snapshot): boolean {
  const makers = offers?.pools.filter(isMakers) ?? [];
  return makers.length > 0 && makers.some(allowedBy(filter, order));
}

/** Search limits of the service, within those of the request. */
export function budgetOf({ isDirect, limits }: SwapRequest, budget: SearchLimits): SearchLimits {
  const { maxHops = budget.maxHops, maxFills = budget.maxFills } = limits ?? {};
  return {
    ...budget,
    maxHops: isDirect === true ? 1 : Math.min(maxHops, budget.maxHops),
    maxFills: Math.min(maxFills, budget.maxFills),
  };
}
