import type { RouteResult, SearchBudget } from "../router.ts";

/**
 * Fills up to which routes of tighter limits are tried too. A flow that is pruned to so few ends at the paths that its dual likes
 * best, and these have more pools each than are left to split over: 6 % were lost with four fills.
 */
const FEW_FILLS = 8;
/** Parts of what is achieved that a bound may leave open for no other limits to be tried: 1 bp. */
const CLOSE = 10_000n;

/** Limits within those of a budget: fewer hops, and fewer fills. */
export function tighterLimits(budget: SearchBudget): readonly SearchBudget[] {
  const { maxFills, maxHops } = budget;
  if (maxFills > FEW_FILLS) return [];
  const most = Math.min(maxHops, maxFills);
  const fewerHops = Array.from({ length: most - 1 }, (_, less) => ({ ...budget, maxHops: most - 1 - less }));
  const fewerFills = Array.from({ length: maxFills - 1 }, (_, less) => ({ ...budget, maxFills: maxFills - 1 - less }));
  return [...fewerHops, ...fewerFills];
}

/** Whether next to nothing is open above an answer. */
export function isProven(result: RouteResult): boolean {
  if (!result.found || result.certificate === undefined) return false;
  const { bound, achieved } = result.certificate;
  const [open, size] = [bound - achieved, achieved < 0n ? -achieved : achieved];
  return (open < 0n ? -open : open) * CLOSE <= size;
}
