import type { SwapError } from "../../domain/errors/swap-error.ts";
import { fillsOf, type PoolId, type Route } from "../../domain/route.ts";
import { abs } from "../../math/full-math.ts";
import { isMakers } from "../../pools/pool.ts";
import type { Certificate, RouteResult } from "../../routing/router.ts";
import type { SwapRequest } from "../answer/types.ts";
import { feeTakesAll, noRoute } from "./no-route.ts";
import { allowsMakers, queryOf, type SearchSetting } from "./route-query.ts";
import { orderOf, routeAmountsOf } from "./trade.ts";
import { withinHops } from "./within-hops.ts";

const WIDE_BPS = 5n;

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
  const { known } = setting.search;
  const all = await setting.search.findBest({ ...query, ...(known && { known }) });
  const best = await noWorseForMakers(request, setting, without, all);
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

/**
 * Makers' offers are steps, which a search can stumble over: where a route over some leaves much of its bound open, the best one
 * without makers is looked at too, and the better one taken, as long as the caller has time left. The bound holds for both.
 */
async function noWorseForMakers(
  request: SwapRequest,
  setting: SearchSetting,
  without: ReadonlySet<PoolId>,
  all: RouteResult,
): Promise<RouteResult> {
  if (!all.found || all.certificate === undefined || !isWide(all.certificate)) return all;
  if (setting.search.isOver() || !usesMakers(all.route, setting)) return all;
  const chain = await setting.search.findBest(queryOf(request, setting, { without, withoutMakers: true }));
  if (!chain.found || chain.certificate === undefined) return all;
  const [other, own] = [chain.certificate.achieved, all.certificate.achieved];
  const better = request.amount.kind === "exactIn" ? other > own : other < own;
  return better ? { ...chain, certificate: { bound: all.certificate.bound, achieved: other } } : all;
}

function usesMakers(route: Route, { snapshot }: SearchSetting): boolean {
  return fillsOf(route).some(({ poolId }) => {
    const pool = snapshot.graph.pool(poolId);
    return pool !== undefined && isMakers(pool);
  });
}

/** Whether a request's route may lead over what makers offer, of which there is some. */
export function mayUseMakers(request: SwapRequest, setting: SearchSetting): boolean {
  return allowsMakers(queryOf(request, setting).pools, orderOf(request), setting.snapshot);
}

/** Whether more than WIDE_BPS of what was achieved may be missing. */
function isWide({ bound, achieved }: Certificate): boolean {
  return abs(bound - achieved) * 10_000n > WIDE_BPS * abs(achieved);
}
