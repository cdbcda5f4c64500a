import { TRUSTED_DEPTHS } from "../edges/depth.ts";
import type { Edge } from "../edges/edges.ts";

const MAX_ROUNDS = 64;
/** Relative tolerance of the amount paid. */
const CLOSE = 1e-13;

/** Amount that an edge has to sell to pay `buyAmount`, in floats; its maximum if that does not pay it. */
export function sellAmountFor({ depth, spot, curve }: Edge, buyAmount: number): number {
  // A hyperbola pays spot * x / (1 + x / depth); NaN is any other curve.
  const sell = buyAmount / (spot - buyAmount / depth);
  if (sell >= 0 && sell <= TRUSTED_DEPTHS * depth) return sell;
  // A concave curve lies below its tangents: Newton's steps do not pass what is looked for. Others are met from both sides.
  let [low, high] = [0, curve.maxSell];
  if (curve.buyAmountFor(high) <= buyAmount) return high;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const missing = buyAmount - curve.buyAmountFor(low);
    if (missing <= CLOSE * buyAmount) break;
    let next = low + missing / curve.marginalRate(low);
    if (!(next < high)) next = Number.isFinite(high) ? (low + high) / 2 : 2 * low + 1;
    if (curve.buyAmountFor(next) > buyAmount) high = next;
    else low = next;
  }
  return low;
}
