/** A place from which on a slope grows by more, or by less. */
export interface Kink {
  readonly at: number;
  readonly bend: number;
}

/**
 * Where between 0 and 1 something convex is lowest whose slope is `slope` at 0, negative, and grows by `bend` from there,
 * as its kinks change that, which it puts in order.
 */
export function lowestAt(slope: number, bend: number, kinks: Kink[]): number {
  kinks.sort((a, b) => a.at - b.at);
  let at = 0;
  for (const kink of kinks) {
    const after = slope + bend * (kink.at - at);
    if (after >= 0) break;
    slope = after;
    bend += kink.bend;
    at = kink.at;
  }
  return Math.max(0, Math.min(1, at - slope / bend));
}
