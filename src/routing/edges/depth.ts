import { NARROW, type PoolCurve, TRUSTED_DEPTHS } from "../../pools/pool-math.ts";

export { TRUSTED_DEPTHS };
/** Limit of the range in which a hyperbola is trusted, as 1 - sqrt(rate / spot). */
export const TRUSTED = 1 - 1 / (1 + TRUSTED_DEPTHS);

/** Depth of a hyperbola of a width. */
export const DEPTH_OF_WIDTH = 1 / (1 / Math.sqrt(NARROW) - 1);

/** The depth of a hyperbola, or of one as wide as a curve that is none: not a number, or 0, is the depth of those. */
export function depthAbout(depth: number, width: number): number {
  return depth > 0 ? depth : DEPTH_OF_WIDTH * width;
}

/** Factor over the width for the assumed depth of a curve about which nothing else is known. */
const DEEPER = 16;

/** The depth of the deepest hyperbola that a curve may be, about where that is not known. */
export function deepestAbout(deepest: number, width: number): number {
  return deepest < Number.POSITIVE_INFINITY ? deepest : DEEPER * DEPTH_OF_WIDTH * width;
}

const PROBES = [1 / 64, 1 / 8, 1, 8, 64, TRUSTED_DEPTHS];
const AGREEMENT = 1e-11;
/** First probe of a curve as a part of its depth, and tolerance between measured depths. */
const NEAR = 1 / 1024;
const NEARLY = 1e-6;

/**
 * The depth D of a curve that is the hyperbola spot * x / (1 + x / D), as constant products and single positions of
 * liquidity are; NaN for every other one. The marginal rate of a hyperbola is spot / (1 + x / D)^2, a quarter at x = D.
 */
export function depthOf(curve: PoolCurve, spot: number): number {
  if (!curve.concave) return Number.NaN;
  // Curves of many pieces are not followed further than it takes to see that they are no hyperbola.
  const near = curve.sellAmountAtRate(spot / (1 + NEAR) ** 2) / NEAR;
  const far = curve.sellAmountAtRate(spot / (1 + 64 * NEAR) ** 2) / (64 * NEAR);
  if (!(Math.abs(near / far - 1) < NEARLY)) return Number.NaN;
  const depth = curve.sellAmountAtRate(spot / 4);
  if (!(depth > 0) || !Number.isFinite(depth)) return Number.NaN;
  for (const probe of PROBES) {
    const sellAmount = probe * depth;
    if (sellAmount > curve.maxSell) return Number.NaN;
    const expected = (spot * sellAmount) / (1 + probe);
    if (Math.abs(curve.buyAmountFor(sellAmount) / expected - 1) > AGREEMENT) return Number.NaN;
  }
  return depth;
}
