import type { PoolId } from "../../src/domain/route.ts";
import type { Pool } from "../../src/pools/pool.ts";
import { mayTouchAgain } from "../../src/routing/edges/may-touch-again.ts";

/** Whether hops pass a pool for several pairs of its tokens that a route touches only once (docs/routing.md). */
export function isTouchedAgain(
  hops: Iterable<{ readonly pool: Pool; readonly sell: number; readonly buy: number }>,
): boolean {
  const pairs = new Map<PoolId, string>();
  for (const { pool, sell, buy } of hops) {
    if (mayTouchAgain(pool)) continue;
    const pair = `${sell} ${buy}`;
    if ((pairs.get(pool.id) ?? pair) !== pair) return true;
    pairs.set(pool.id, pair);
  }
  return false;
}
