import type { SwapError } from "../../domain/errors/swap-error.ts";
import type { PoolId } from "../../domain/route.ts";
import type { SourceId } from "../../domain/source.ts";
import { curveOf, type Pool } from "../../pools/pool.ts";
import type { Certificate, RouteResult } from "../../routing/router.ts";
import type { SwapRequest } from "../answer/answers.ts";
import { eatenByFee, noRoute } from "./no-route.ts";
import { findBest, isWanted, type SearchSetting } from "./route-query.ts";
import { dealOf } from "./trade.ts";

const WIDE_BPS = 5n;

export type FoundRoute = Extract<RouteResult, { found: true }>;

/** No route. Why is found out for who wants to know: it takes a search for each source. */
export interface NoneFound {
  readonly found: false;
  explain(): Promise<SwapError>;
}

/** The best route for a request that touches none of `without`. */
export function searchRoute(
  request: SwapRequest,
  setting: SearchSetting,
  without: ReadonlySet<PoolId>,
): FoundRoute | NoneFound {
  const wanted = (source: SourceId) => isWanted(request, source, setting.sources);
  const wants = (pool: Pool) => wanted(pool.source) && !without.has(pool.id);
  const result = noWorseForMakers(request, setting, wants, findBest(request, setting, wants));
  if (!result.found) return { found: false, explain: () => noRoute(request, setting, wants, result.reason) };
  const { buyAmount, grossBuyAmount } = dealOf(request, result.route);
  if (buyAmount === 0n) return { found: false, explain: async () => eatenByFee(request, grossBuyAmount) };
  return result;
}

/**
 * Makers' offers are steps, which a search can stumble over: where it leaves much of its bound open, the best route without
 * makers is looked at too, and the better one taken, as long as the caller has time left. The bound holds for both.
 */
function noWorseForMakers(
  request: SwapRequest,
  setting: SearchSetting,
  wants: (pool: Pool) => boolean,
  all: RouteResult,
): RouteResult {
  const makers = [...setting.sources.values()].some(({ kind }) => kind === "maker" || kind === "rfq");
  if (!makers || !all.found || all.certificate === undefined || !isWide(all.certificate)) return all;
  if (setting.budget.expired()) return all;
  const chain = findBest(request, setting, (pool) => !isMakers(pool) && wants(pool));
  if (!chain.found || chain.certificate === undefined) return all;
  const [other, own] = [chain.certificate.achieved, all.certificate.achieved];
  const better = request.amount.kind === "exactIn" ? other > own : other < own;
  return better ? { ...chain, certificate: { bound: all.certificate.bound, achieved: other } } : all;
}

function isMakers(pool: Pool): boolean {
  return curveOf(pool).offer !== undefined;
}

/** Whether more than WIDE_BPS of what was achieved may be missing. */
function isWide({ bound, achieved }: Certificate): boolean {
  const open = bound > achieved ? bound - achieved : achieved - bound;
  return open * 10_000n > WIDE_BPS * (achieved < 0n ? -achieved : achieved);
}
