import { squareRoot } from "../../math/square-root.ts";
import { type FeeTier, TICK_SPACING } from "./catalog.ts";
import type { DevnetToken } from "./layout.ts";

/** Base units of the token that are worth so many USD at the catalog's price. */
export function unitsWorth(token: DevnetToken, usd: bigint): bigint {
  return (usd * 10n ** 12n * 10n ** BigInt(token.decimals)) / token.picoUsd;
}

/**
 * A pool's √(token1 per token0) × 2^96 at the catalog's prices, with token0 worth more by so many parts per million.
 */
export function sqrtPriceX96(token0: DevnetToken, token1: DevnetToken, offsetPpm: bigint): bigint {
  const numerator = token0.picoUsd * 10n ** BigInt(token1.decimals) * (1_000_000n + offsetPpm);
  const denominator = token1.picoUsd * 10n ** BigInt(token0.decimals) * 1_000_000n;
  return squareRoot((numerator << 192n) / denominator);
}

/** One position: its ticks, and its part of the pool's liquidity by value. */
export interface PositionShape {
  readonly tickLower: number;
  readonly tickUpper: number;
  readonly percent: bigint;
}

/** Half widths of the positions around the price, in tick spacings: near, middle and far. */
const HALF_WIDTHS: Readonly<Record<FeeTier, readonly [number, number, number]>> = {
  100: [60, 400, 1_500],
  500: [30, 150, 600],
  3000: [15, 60, 300],
  10000: [10, 40, 300],
};

const MAX_TICK = 887_272;

/**
 * Five overlapping positions of a pool: three around the price, one over the whole range, one that begins above or
 * below the price and holds one token only. Together they span several words of the tick bitmap.
 */
export function positionsAround(price: bigint, fee: FeeTier, aside: "above" | "below"): readonly PositionShape[] {
  return positionsOf(price, TICK_SPACING[fee], HALF_WIDTHS[fee], aside);
}

/** Five overlapping positions, as `positionsAround` makes, for any tick spacing and half widths. */
export function positionsOf(
  price: bigint,
  spacing: number,
  [near, middle, far]: readonly [number, number, number],
  aside: "above" | "below",
): readonly PositionShape[] {
  const centre = Math.floor((2 * Math.log(Number(price) / 2 ** 96)) / Math.log(1.0001) / spacing);
  const whole = Math.floor(MAX_TICK / spacing);
  const shape = (lower: number, upper: number, percent: bigint): PositionShape => ({
    tickLower: lower * spacing,
    tickUpper: upper * spacing,
    percent,
  });
  const start = Math.ceil(near / 3) + 1;
  return [
    shape(centre - near, centre + near, 20n),
    shape(centre - middle, centre + middle, 35n),
    shape(centre - far, centre + far, 25n),
    shape(-whole, whole, 15n),
    aside === "above" ? shape(centre + start, centre + middle, 5n) : shape(centre - middle, centre - start, 5n),
  ];
}

/** The liquidity that at most these base units of both tokens make in a position, roughly. */
export function liquidityFor(
  price: bigint,
  { tickLower, tickUpper }: Pick<PositionShape, "tickLower" | "tickUpper">,
  [amount0, amount1]: readonly [bigint, bigint],
): bigint {
  const [lower, upper] = [1.0001 ** (tickLower / 2), 1.0001 ** (tickUpper / 2)];
  const root = Math.min(upper, Math.max(lower, Number(price) / 2 ** 96));
  const of0 = root < upper ? Number(amount0) / (1 / root - 1 / upper) : Number.POSITIVE_INFINITY;
  const of1 = root > lower ? Number(amount1) / (root - lower) : Number.POSITIVE_INFINITY;
  return BigInt(Math.floor(Math.min(of0, of1)));
}
