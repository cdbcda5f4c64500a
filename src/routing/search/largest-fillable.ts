import type { NoRoute, RouteRequest, RouteResult } from "../router.ts";

/** Parts of what floats think can be filled that are asked for in turn. */
const PARTS = [1 - 1e-9, 0.999, 0.95, 0.8, 0.5, 0.2, 0.05, 0.01];
/**
 * Relative tolerance of the bisection between the largest amount with a route and the smallest without, factor over an
 * amount with a route for the next try, and limit on tries.
 */
const CLOSE = 1 / 16;
const STEP = 1 / 2;
const MAX_TRIES = 10;

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
  const hasRoute = async (amount: bigint): Promise<boolean> => {
    await pause();
    const other = order.kind === "exactIn" ? { ...order, sellAmount: amount } : { ...order, buyAmount: amount };
    return (await router.findBest({ ...request, order: other, isAnyEnough: true })).found;
  };
  let refused = order.kind === "exactIn" ? order.sellAmount : order.buyAmount;
  let most: bigint | undefined;
  // Floats may have seen a part of what there is alone: first a little more than that, then less.
  for (const part of [1 + CLOSE, ...PARTS]) {
    const amount = BigInt(Math.floor(estimate * part));
    if (amount === 0n || budget.expired()) return undefined;
    if (amount >= refused) continue;
    if (await hasRoute(amount)) {
      most = amount;
      break;
    }
    refused = amount;
  }
  if (most === undefined) return undefined;
  // Then by steps upwards, and what lies between.
  for (let tries = 0; tries < MAX_TRIES && !budget.expired(); tries++) {
    const more = most + BigInt(Math.ceil(Number(most) * STEP));
    const amount: bigint = more < refused ? more : (most + refused) / 2n;
    if (Number(refused - most) <= CLOSE * Number(refused) || amount <= most) break;
    if (await hasRoute(amount)) most = amount;
    else refused = amount;
  }
  return most;
}
