import type { CurveKind, Pool } from "./pool.ts";

/** Curves that are the same at any time. */
const TIMELESS: ReadonlySet<CurveKind> = new Set<CurveKind>([
  "constant-product",
  "concentrated",
  "fixed-rate",
  "solidly",
  "weighted",
]);

/** Whether a pool's curves may move although its state stays the same. */
export function movesWithTime({ curve }: Pool): boolean {
  return !TIMELESS.has(curve);
}
