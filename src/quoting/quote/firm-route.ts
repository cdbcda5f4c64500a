import type { Address } from "../../domain/address.ts";
import { type Fill, fillsOf, type Route, SHARE_ONE } from "../../domain/route.ts";
import type { SourceId } from "../../domain/source.ts";
import type { MarketGraph } from "../../market/pool-store.ts";
import { abs } from "../../math/full-math.ts";
import { mathOf, type Pool } from "../../pools/pool.ts";
import { isRejection } from "../../pools/pool-math.ts";
import type { FirmOrderRequest } from "../maker-ports.ts";
import type { KnownRoute } from "../search/known-route.ts";
import type { FoundRoute } from "../search/search.ts";
import { evaluateOver } from "./evaluate-over.ts";

/** Gain of the orders, in parts of 10,000 of what is measured, up to which the route over levels stays. */
const MAX_GAIN_BPS = 5n;

/** A route over levels, and what came of asking its makers. */
interface Answered {
  readonly overLevels: FoundRoute;
  readonly asks: readonly FirmOrderRequest[];
  readonly orders: readonly Pool[];
  /** The market with the orders in place of levels. */
  readonly graph: MarketGraph;
  /** The tokens at the ends of the route, as makers trade them. */
  readonly ends: { readonly sellToken: Address; readonly buyToken: Address };
}

/**
 * A route over levels with firm orders in their place; undefined where the orders do not carry it. It needs no search while
 * each level on it has an order at least as good, and nobody else gave one. Levels get no better, so an order pays for a part of its
 * amount no more than its levels do, and that part of what it adds to them. So no route over the orders exceeds the bound over levels
 * by more than the orders add, where that counts in the token of the bound. Elsewhere a better order may lead to another route.
 */
export function overOrders(answered: Answered): KnownRoute | undefined {
  const { overLevels, orders, graph } = answered;
  const { route, certificate } = overLevels;
  const orderFor = ({ source, sellToken, buyToken }: Fill) =>
    orders.find((order) => isFor(order, source, sellToken, buyToken));
  // Levels are no pools of this market: a route that no order was given for stays without one.
  const firm = evaluateOver(route, (fill) => orderFor(fill) ?? graph.pool(fill.poolId), graph.time);
  if ("broken" in firm || gasOf(firm) !== gasOf(route)) return undefined;
  const better = measured(firm) - measured(route);
  const sign = route.kind === "exactIn" ? 1n : -1n;
  const achieved = certificate && certificate.achieved + sign * better;
  const gained = gainOfAll(answered);
  const unsure = { found: { found: true, route: firm }, achieved, isBest: false } as const;
  // Far better orders may do more of the trade than their levels did.
  if (gained === undefined || gained * 10_000n > MAX_GAIN_BPS * abs(measured(route))) return unsure;
  // Shares are rounded to one part in SHARE_ONE.
  if (-better * SHARE_ONE > abs(measured(route))) return unsure;
  if (certificate === undefined || achieved === undefined) return { ...unsure, isBest: true };
  const bound = certificate.bound + sign * gained;
  return { found: { ...unsure.found, certificate: { bound, achieved } }, achieved, isBest: true };
}

/**
 * Base units that orders add to their levels, in the token of the bound; undefined where one is worse than its level or has none, and
 * where it adds to another token.
 */
function gainOfAll({ overLevels: { route }, asks, orders, graph, ends }: Answered): bigint | undefined {
  let gained = 0n;
  for (const order of orders) {
    const ask = asks.find((asked) => isFor(order, asked.source, asked.takerToken, asked.makerToken));
    const gain = ask && gainOf(ask, order, graph.time);
    if (ask === undefined || gain === undefined || gain < 0n) return undefined;
    const isMeasured = route.kind === "exactIn" ? ask.makerToken === ends.buyToken : ask.takerToken === ends.sellToken;
    if (gain > 0n && !isMeasured) return undefined;
    gained += gain;
  }
  return gained;
}

function isFor(
  { source, tokens: [takerToken, makerToken] }: Pool,
  asked: SourceId,
  sold: Address,
  bought: Address,
): boolean {
  return source === asked && takerToken === sold && makerToken === bought;
}

/** The amount that a route leaves open; higher is better. */
function measured(route: Route): bigint {
  return route.kind === "exactIn" ? route.buyAmount : -route.sellAmount;
}

function gasOf(route: Route): bigint {
  return fillsOf(route).reduce((sum, { gas }) => sum + gas, 0n);
}

/** Base units by which an order is better than its level for the amount that it was asked for; undefined without a level. */
function gainOf(
  { amount, level, takerToken, makerToken }: FirmOrderRequest,
  order: Pool,
  time: bigint,
): bigint | undefined {
  if (level === undefined) return undefined;
  const direction = { sell: order.tokens.indexOf(takerToken), buy: order.tokens.indexOf(makerToken) };
  const math = mathOf(order);
  const quoted =
    amount.kind === "exactIn"
      ? math.quoteExactIn(order.state, direction, amount.takerAmount, time)
      : math.quoteExactOut(order.state, direction, amount.makerAmount, time);
  if (isRejection(quoted)) return undefined;
  return amount.kind === "exactIn" ? quoted.amount - level.amount : level.amount - quoted.amount;
}
