import type { Edge } from "../edges/edges.ts";

/** Change of a rate that a slope is measured by, as a part. */
const RATE_STEP = 1e-3;

/** How what an edge sells grows with the logarithm of its rate, in base units. */
export function slopeOf({ curve }: Edge, sell: number): number {
  const further = Math.min(curve.maxSell, curve.sellAmountAtRate(curve.marginalRate(sell) * (1 - RATE_STEP)));
  return Math.max(0, further - sell) / RATE_STEP;
}
