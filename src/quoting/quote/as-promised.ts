import { fillsOf, type Route } from "../../domain/route.ts";
import type { MarketGraph } from "../../market/pool-store.ts";
import { movesWithTime } from "../../pools/moves-with-time.ts";

/**
 * Amounts of a block's own second hold to the wei. Of pools that move with time a second later they differ by no more than
 * one part in so many: of what changes by the second a Curve pool's amplification changes most, tenfold in a day, which is
 * one part in 37,000, and amounts with it by less.
 */
const PARTS_PER_SECOND = 100_000n;

/** Whether `actual` is what was promised, seen so many seconds after the time of the promise. */
export function isAsPromised(actual: bigint, promised: bigint, secondsLater: bigint, moves: boolean): boolean {
  if (!moves || secondsLater === 0n) return actual === promised;
  const apart = actual > promised ? actual - promised : promised - actual;
  return apart * PARTS_PER_SECOND <= promised * secondsLater + PARTS_PER_SECOND;
}

/** Whether what a route pays may change although nobody trades. */
export function routeMoves(route: Route, graph: Pick<MarketGraph, "pool">): boolean {
  return fillsOf(route).some(({ poolId }) => {
    const pool = graph.pool(poolId);
    return pool !== undefined && movesWithTime(pool);
  });
}
