import type { Ratio } from "../../domain/ratio.ts";
import type { Fill, Route } from "../../domain/route.ts";
import { mathOf } from "../../pools/pool.ts";
import { directionOf } from "../../pools/pool-math.ts";
import type { PoolGraph } from "../../routing/router.ts";
import { PATH_ONE, pathsOf } from "./paths.ts";

/**
 * Loss of a trade to its own size, as a fraction: 1 - gross rate / spot rate, where the spot rate is the pre-trade
 * rate after pool fees of the route's own paths, weighted by their share. Undefined when a pool has no spot rate.
 */
export function priceImpact(route: Route, graph: PoolGraph): Ratio | undefined {
  let num = 0n;
  let den = 1n;
  for (const { fills, weight } of pathsOf(route)) {
    const rate = pathRate(fills, graph);
    if (rate === undefined) return undefined;
    const per = route.kind === "exactIn" ? rate : { num: rate.den, den: rate.num };
    num = num * per.den + weight * per.num * den;
    den *= per.den;
  }
  // Exact-in: num/den = what a trade of no size would pay per unit sold. Exact-out: what it would cost per unit bought.
  den *= PATH_ONE;
  if (num === 0n) return undefined;
  const lost =
    route.kind === "exactIn"
      ? { num: route.sellAmount * num - route.buyAmount * den, den: route.sellAmount * num }
      : { num: route.sellAmount * den - route.buyAmount * num, den: route.sellAmount * den };
  return lost.num > 0n ? lost : { num: 0n, den: 1n };
}

function pathRate(fills: readonly Fill[], graph: PoolGraph): Ratio | undefined {
  let rate: Ratio = { num: 1n, den: 1n };
  for (const fill of fills) {
    const spot = fillRate(fill, graph);
    if (spot === undefined || spot.num === 0n) return undefined;
    rate = { num: rate.num * spot.num, den: rate.den * spot.den };
  }
  return rate;
}

function fillRate(fill: Fill, graph: PoolGraph): Ratio | undefined {
  const pool = graph.pool(fill.poolId);
  if (pool === undefined) return undefined;
  const direction = directionOf(pool, fill.sellToken, fill.buyToken);
  return mathOf(pool).spotPrice(pool.state, direction, graph.time);
}
