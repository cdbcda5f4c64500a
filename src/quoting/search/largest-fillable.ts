import type { NoRoute, RouteRequest, RouteResult } from "../../routing/router.ts";

/** Parts of what floats think can be filled that are asked for until one has a route: they may have seen a part of it alone. */
const PARTS = [1 + 1 / 16, 1 - 1e-9, 0.999, 0.95, 0.8, 0.5, 0.2, 0.05, 0.01];
/** Relative tolerance between the largest amount with a route and the smallest without, and limit on tries. */
const CLOSE = 1 / 16;
const MAX_TRIES = 19;

/** Part of a request that this search needs, whatever form its router takes. */
interface Asked extends Pick<RouteRequest, "order" | "isAnyEnough"> {
  readonly budget: Pick<RouteRequest["budget"], "expired">;
}

/**
 * The largest amount of a refused request that was asked for as well and has a route; undefined where a few tries found
 * none. Any route will do, since best ones of so much take long to find. `pause` is awaited before each search.
 */
export async function largestFillable<R extends Asked>(
  router: { findBest(request: R): RouteResult | Promise<RouteResult> },
  request: R,
  reason: NoRoute,
  pause: () => Promise<void>,
): Promise<bigint | undefined> {
  const { order, budget } = request;
  if (reason.kind !== "NOT_ENOUGH_LIQUIDITY" || reason.estimate === undefined) return undefined;
  const estimate = Number(reason.estimate);
  const parts = PARTS.map((part) => BigInt(Math.floor(estimate * part)));
  let refused = order.kind === "exactIn" ? order.sellAmount : order.buyAmount;
  let most = 0n;
  for (let tries = 0; tries < MAX_TRIES && !budget.expired(); tries++) {
    // First a little more than floats saw and ever less, then steps upwards, then what lies between.
    const more = most + (most + 1n) / 2n;
    const next = more < refused ? more : (most + refused) / 2n;
    const amount = most === 0n ? (parts.find((part) => part < refused) ?? 0n) : next;
    if (amount <= most || Number(refused - most) <= CLOSE * Number(refused)) break;
    await pause();
    const other = order.kind === "exactIn" ? { ...order, sellAmount: amount } : { ...order, buyAmount: amount };
    const { found } = await router.findBest({ ...request, order: other, isAnyEnough: true });
    if (found) most = amount;
    else refused = amount;
  }
  return most === 0n ? undefined : most;
}
