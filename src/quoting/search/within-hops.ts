import type { Fill, PoolId, Route } from "../../domain/route.ts";
import type { RouteResult } from "../../routing/router.ts";
import { type HopLimit, isWithin, pathsOf } from "../answer/paths.ts";
import { hopLimit } from "../answer/route-view.ts";
import type { SwapRequest } from "../answer/types.ts";
import { queryOf, type SearchSetting } from "./route-query.ts";

/** Searches with fewer and fewer pools. */
const MOST_SEARCHES = 6;

/**
 * A result none of whose paths has more pools than the request's own `maxHops`. The search bounds each path that it adds; where
 * these cross, a route can pass more pools than any of them. A pool of each such path is then left out, and the route is searched
 * again. The bound stays the first one's, which holds for all of these routes.
 */
export async function withinHops(
  request: SwapRequest,
  setting: SearchSetting,
  without: ReadonlySet<PoolId>,
  first: RouteResult,
): Promise<RouteResult> {
  const maxHops = request.limits?.maxHops;
  if (maxHops === undefined || !first.found) return first;
  const limit = hopLimit(maxHops, setting.sources);
  const leftOut = new Set(without);
  if (crossings(first.route, limit).length === 0) return first;
  let best: Found | undefined;
  let last: RouteResult = first;
  for (let searches = 0; searches < MOST_SEARCHES && last.found; searches++) {
    for (const pool of crossings(last.route, limit)) leftOut.add(pool);
    last = await setting.search.findBest(queryOf(request, setting, { without: leftOut }));
    if (!last.found || crossings(last.route, limit).length > 0) continue;
    best = last;
    break;
  }
  // So few fills are no more hops.
  const query = queryOf(request, setting, { without });
  const budget = { ...query.budget, maxFills: Math.min(maxHops, query.budget.maxFills) };
  const short = await setting.search.findBest({ ...query, budget });
  if (best === undefined) return short.found ? withBound(short, first) : short;
  return withBound(short.found && isBetter(request, short, best) ? short : best, first);
}

type Found = Extract<RouteResult, { found: true }>;

function isBetter({ amount }: SwapRequest, one: Found, other: Found): boolean {
  const [value, least] = [one.certificate?.achieved, other.certificate?.achieved];
  if (value === undefined || least === undefined) return false;
  return amount.kind === "exactIn" ? value > least : value < least;
}

function withBound(result: Found, { certificate }: Found): Found {
  if (certificate === undefined || result.certificate === undefined) return result;
  return { ...result, certificate: { ...result.certificate, bound: certificate.bound } };
}

/**
 * A pool of each path with more pools than the limit has: the one that carries least on other paths, of those the one that
 * carries least.
 */
function crossings(route: Route, limit: HopLimit): readonly PoolId[] {
  const [all, beyond] = [new Map<Fill, bigint>(), new Map<Fill, bigint>()];
  const paths = pathsOf(route, limit);
  const long = paths.filter((path) => !isWithin(path, limit));
  for (const { fills, weight } of paths) for (const fill of fills) all.set(fill, (all.get(fill) ?? 0n) + weight);
  for (const { fills, weight } of long) for (const fill of fills) beyond.set(fill, (beyond.get(fill) ?? 0n) + weight);
  const weightOf = (fill: Fill) => all.get(fill) ?? 0n;
  const elsewhere = (fill: Fill) => weightOf(fill) - (beyond.get(fill) ?? 0n);
  const chosen = new Set<PoolId>();
  for (const { fills } of long) {
    if (fills.some(({ poolId }) => chosen.has(poolId))) continue;
    const [least] = fills
      .filter(limit.counts)
      .toSorted((a, b) => compare(elsewhere(a), elsewhere(b)) || compare(weightOf(a), weightOf(b)));
    if (least !== undefined) chosen.add(least.poolId);
  }
  return [...chosen];
}

const compare = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0);
