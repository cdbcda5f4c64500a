import type { CurveKind, Pool } from "./pool.ts";
import { writesObservation } from "./solidly/observation.ts";

/** Curves that pay the same at any time. */
const TIMELESS: ReadonlySet<CurveKind> = new Set<CurveKind>([
  "constant-product",
  "concentrated",
  "fixed-rate",
  "solidly",
  "weighted",
]);

/** Whether what a pool pays may change although its state stays the same. */
export function movesWithTime({ curve }: Pool): boolean {
  return !TIMELESS.has(curve);
}

/** Whether that may, or the gas of it. */
export function ages(pool: Pool): boolean {
  return movesWithTime(pool) || pool.curve === "solidly";
}

/** Whether a pool's curves are others at one time than at another; unix seconds. */
export function agesBetween(pool: Pool, one: bigint, other: bigint): boolean {
  if (pool.curve !== "solidly") return movesWithTime(pool);
  return writesObservation(pool.state, one) !== writesObservation(pool.state, other);
}
