import type { Fill, PoolId, Route } from "../../domain/route.ts";
import { compare } from "../../math/full-math.ts";
import type { RouteResult } from "../../routing/router.ts";
import { type HopLimit, isWithin, pathsOf } from "../answer/paths.ts";
import type { RouteLimits } from "../answer/route-limits.ts";
import { hopLimit } from "../answer/route-view.ts";
import type { SwapRequest } from "../answer/types.ts";
import { queryOf, type SearchSetting } from "./route-query.ts";

/** Searches with fewer and fewer pools. */
const MAX_SEARCHES = 6;

/**
 * A result none of whose paths has more pools than the request's own `maxHops`. The search bounds each path that it adds; where
 * these cross, a route can pass more pools than any of them. The best that other searches find is taken then: those without a pool
 * of each such path, with so few fills that no path has more, and with fewer hops. The bound stays the first one's, which holds for
 * all of these routes.
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
  const crossed = crossings(first.route, limit);
  if (crossed.length === 0) return first;
  const query = queryOf(request, setting, { without });
  const budget = { ...query.budget, maxFills: Math.min(maxHops, query.budget.maxFills) };
  const few = await setting.search.findBest({ ...query, budget });
  const others: RouteResult[] = [];
  // One that keeps to the limit is an answer, and better ones are for callers that still wait.
  if (!few.found || !setting.search.isOver())
    others.push(await withoutCrossings(request, setting, { without, crossed, limit }));
  if (!setting.search.isOver() || [few, ...others].every(({ found }) => !found))
    others.push(await withFewerHops(request, setting, without, maxHops - 1));
  const best = others.reduce((one, other) => (isBetter(request, other, one) ? other : one), few);
  return best.found ? withBound(best, first) : best;
}

type Found = Extract<RouteResult, { found: true }>;

/** A route that does not keep to a limit, and what it was searched without. */
interface Crossed {
  readonly without: ReadonlySet<PoolId>;
  /** A pool of each path that is too long. */
  readonly crossed: readonly PoolId[];
  readonly limit: HopLimit;
}

/** Searches without a pool of each path that is too long, until there is none such. */
async function withoutCrossings(
  request: SwapRequest,
  setting: SearchSetting,
  { without, crossed, limit }: Crossed,
): Promise<RouteResult> {
  const leftOut = new Set([...without, ...crossed]);
  for (let searches = 0; searches < MAX_SEARCHES && !(searches > 0 && setting.search.isOver()); searches++) {
    const result = await setting.search.findBest(queryOf(request, setting, { without: leftOut }));
    if (!result.found) break;
    const still = crossings(result.route, limit);
    if (still.length === 0) return result;
    for (const pool of still) leftOut.add(pool);
  }
  return { found: false, reason: { kind: "NO_PATH" } };
}

/** The best route with fewer hops: paths of two pools do not cross to longer ones. */
async function withFewerHops(
  request: SwapRequest,
  setting: SearchSetting,
  without: ReadonlySet<PoolId>,
  maxHops: number,
): Promise<RouteResult> {
  const fewer = { ...request, limits: { ...(request.limits as RouteLimits), maxHops } };
  return withinHops(fewer, setting, without, await setting.search.findBest(queryOf(fewer, setting, { without })));
}

function isBetter({ amount }: SwapRequest, one: RouteResult, other: RouteResult): boolean {
  if (!one.found || !other.found) return one.found;
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
