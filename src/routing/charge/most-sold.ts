import { NARROW } from "../../pools/pool-math.ts";
import { TRUSTED_DEPTHS } from "../edges/depth.ts";
import type { Edge } from "../edges/edges.ts";

/** How far a hyperbola is trusted, in depths and one more. */
export const FARTHEST = 1 + TRUSTED_DEPTHS;

/**
 * At least the most that an edge can sell and still earn so much at these prices, which is no more than it can earn. What it
 * earns less by that is convex in what it sells, and so is what this tells of it.
 */
export function mostSold(
  { spot, depth, width, curve: real }: Edge,
  sellPrice: number,
  buyPrice: number,
  least: number,
): number {
  const gain = (spot * buyPrice) / sellPrice;
  if (depth > 0) {
    // A hyperbola that sells t - 1 depths earns (gain - gain / t - (t - 1)) * sellPrice * depth.
    const sum = gain + 1 - least / (sellPrice * depth);
    const stretch = (sum + Math.sqrt(Math.max(0, sum * sum - 4 * gain))) / 2;
    if (stretch <= FARTHEST) return (stretch - 1) * depth;
    // Behind that no rate is better than there.
    const slope = 1 - gain / FARTHEST ** 2;
    const over = sum - gain / FARTHEST - FARTHEST;
    return slope > 0 ? (FARTHEST - 1 + over / slope) * depth : Number.POSITIVE_INFINITY;
  }
  const curve = real.ceiling ?? real;
  if (!curve.concave) return Number.POSITIVE_INFINITY;
  // A concave curve pays no more than it begins with up to its width, and than NARROW of that behind it.
  const slope = 1 - NARROW * gain;
  return slope > 0 ? width + Math.max(0, (gain - 1) * width - least / sellPrice) / slope : curve.maxSell;
}
