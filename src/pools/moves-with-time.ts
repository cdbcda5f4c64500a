import { curveOf, type Pool } from "./pool.ts";

/** Whether what a pool pays may change although its state stays the same. */
export function movesWithTime(pool: Pool): boolean {
  const { timeless } = curveOf(pool);
  return typeof timeless === "function" ? !timeless(pool.state) : timeless !== true;
}

/** Whether what a pool pays, or the gas of it, may change although its state stays the same. */
export function ages(pool: Pool): boolean {
  return movesWithTime(pool) || curveOf(pool).agesBetween !== undefined;
}

/** Whether a pool's curves are others at one time than at another; unix seconds. */
export function agesBetween(pool: Pool, one: bigint, other: bigint): boolean {
  return movesWithTime(pool) || curveOf(pool).agesBetween?.(pool.state, one, other) === true;
}
