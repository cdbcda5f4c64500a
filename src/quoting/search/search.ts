import type { SwapError } from "../../domain/errors/swap-error.ts";
import type { PoolId } from "../../domain/route.ts";
import type { RouteResult } from "../../routing/router.ts";
import type { SwapRequest } from "../answer/types.ts";
import { feeTakesAll, noRoute } from "./no-route.ts";
import { allowsMakers, queryOf, type SearchSetting } from "./route-query.ts";
import { orderOf, routeAmountsOf } from "./trade.ts";
import { withinHops } from "./within-hops.ts";

export type FoundRoute = Extract<RouteResult, { found: true }>;

/** No route. Why is found out for who wants to know: it takes a search for each source. */
export interface NoneFound {
  readonly found: false;
  explain(): Promise<SwapError>;
}

/** The best route for a request that uses none of `without`. */
export async function searchRoute(
  request: SwapRequest,
  setting: SearchSetting,
  without: ReadonlySet<PoolId>,
): Promise<FoundRoute | NoneFound> {
  const query = queryOf(request, setting, { without });
  const { starts } = setting.search;
  const best = await setting.search.findBest({ ...query, ...(starts && { starts }) });
  const result = await withinHops(request, setting, without, best);
  if (!result.found) return { found: false, explain: () => noRoute(request, setting, without, result.reason) };
  // A route that the caller narrowed down, or that was cut short, is no start for others.
  if (isForAll(request) && without.size === 0 && !setting.search.isOver()) {
    setting.recordRoute(result.route, setting.snapshot.block.number);
    setting.searched?.(query);
  }
  const { buyAmount, grossBuyAmount } = routeAmountsOf(request, result.route);
  if (buyAmount === 0n) return { found: false, explain: async () => feeTakesAll(request, grossBuyAmount) };
  return result;
}

/** Whether a request leaves it to the service which pools it goes over. */
function isForAll({ sources, isDirect, limits, at, overrides }: SwapRequest): boolean {
  const isOfNow = at === undefined && overrides === undefined;
  return sources.kind === "all" && isDirect !== true && limits === undefined && isOfNow;
}

/** Whether a request's route may lead over what makers offer, of which there is some. */
export function mayUseMakers(request: SwapRequest, setting: SearchSetting): boolean {
  return allowsMakers(queryOf(request, setting).pools, orderOf(request), setting.snapshot);
}
