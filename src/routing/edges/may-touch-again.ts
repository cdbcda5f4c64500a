import { mathOf, type Pool } from "../../pools/pool.ts";

/**
 * Whether a route may touch a pool for several pairs of its tokens: only where the sum over the pairs, which the bound
 * counts, is no less than what such touches can earn together.
 */
export function mayTouchAgain(pool: Pool): boolean {
  return pool.tokens.length > 2 && mathOf(pool).touchesAddUp?.(pool.state) === true;
}
