import type { NoRoute, RouteRequest, Router } from "./router.ts";

/** Parts of what floats think can be filled that are asked for in turn. */
const PARTS = [1 - 1e-9, 0.999, 0.95, 0.8, 0.5];

/**
 * The largest amount of a refused request that was asked for as well and has a route; undefined where a few tries found
 * none.
 */
export function largestFillable(router: Router, request: RouteRequest, reason: NoRoute): bigint | undefined {
  const { order, budget } = request;
  if (reason.kind !== "NOT_ENOUGH_LIQUIDITY" || reason.estimate === undefined) return undefined;
  for (const part of PARTS) {
    const amount = BigInt(Math.floor(Number(reason.estimate) * part));
    const less = order.kind === "exactIn" ? { ...order, sellAmount: amount } : { ...order, buyAmount: amount };
    if (amount === 0n || budget.expired()) return undefined;
    if (router.findBest({ ...request, order: less }).found) return amount;
  }
  return undefined;
}
