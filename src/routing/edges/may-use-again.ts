import { mathOf, type Pool } from "../../pools/pool.ts";

/**
 * Whether a route may use a pool for several pairs of its tokens: only where the sum over the pairs, which the bound
 * counts, is no less than what such pool uses can earn together.
 */
export function mayUseAgain(pool: Pool): boolean {
  return pool.tokens.length > 2 && mathOf(pool).usesAddUp?.(pool.state) === true;
}

/** Tokens of a pool from which on a path can pass it twice, with others between. */
const TWO_PAIRS = 4;

/**
 * Whether a path can pass a pool only once. With `revisits` it may come again between two other tokens, not right after
 * itself: what it pays between these stays the same, or nearly.
 */
export function isPassedOnce({ pool }: { readonly pool: Pool }, revisits: boolean): boolean {
  return !revisits || pool.tokens.length < TWO_PAIRS || !mayUseAgain(pool);
}
