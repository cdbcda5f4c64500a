import { squareRoot } from "../../math/square-root.ts";
import type { FluidReserves, PerToken } from "./state.ts";

const PRICE_ONE = 10n ** 27n;
const PRICE_SQUARED = 10n ** 54n;
/** From here on the contract divides before it multiplies, so that products fit. */
const LARGE_PRODUCT = 10n ** 50n;
const LARGE_RESERVE = 10n ** 25n;
/** The imaginary reserve of debt that is too little for the contract (DexT1__DebtReservesTooLow). */
const MIN_IMAGINARY = 10n ** 6n;

/** The prices between which a pool trades, token 1 for one of token 0, 27 decimals. */
export interface PriceRange {
  /** The root of the product of both ends. */
  readonly mean: bigint;
  readonly upper: bigint;
  readonly lower: bigint;
}

/** Reserves of collateral with so much of each token, twelve decimals (_getCollateralReserves); undefined without any. */
export function collateralReserves(range: PriceRange, [first, second]: PerToken): FluidReserves | undefined {
  const { mean, upper, lower } = range;
  const isBelow = mean < PRICE_ONE;
  const beyond = isBelow
    ? beyondRange(mean, upper, first, second)
    : beyondRange(PRICE_SQUARED / mean, PRICE_SQUARED / lower, second, first);
  if (beyond === undefined) return undefined;
  const [more, other] = isBelow ? beyond : [beyond[1], beyond[0]];
  const imaginary = [more + first, other + second] as const;
  return imaginary.includes(0n) ? undefined : { real: [first, second], imaginary };
}

/**
 * Reserves that the range adds to x and y (_calculateReservesOutsideRange): the root of
 * (mean - upper) a² + (x * mean + y) a + x y = 0, and that times the mean.
 */
function beyondRange(mean: bigint, upper: bigint, x: bigint, y: bigint): PerToken | undefined {
  const width = upper - mean;
  if (width <= 0n) return undefined;
  const half = (mean * x + y * PRICE_ONE) / (2n * width);
  const product = x * y;
  const rest = product < LARGE_PRODUCT ? (product * PRICE_ONE) / width : (product / width) * PRICE_ONE;
  const added = half + squareRoot(rest + half * half);
  return [added, (added * mean) / PRICE_ONE];
}

/** Reserves of debt of so much of each token, twelve decimals (_getDebtReserves); undefined without any. */
export function debtReserves(range: PriceRange, [first, second]: PerToken): FluidReserves | undefined {
  const { mean, upper, lower } = range;
  if (mean < PRICE_ONE) return debtOf(mean, lower, first, second);
  const turned = debtOf(PRICE_SQUARED / mean, PRICE_SQUARED / upper, second, first);
  if (turned === undefined) return undefined;
  const { real, imaginary } = turned;
  return { real: [real[1], real[0]], imaginary: [imaginary[1], imaginary[0]] };
}

/**
 * Reserves that owe x and y (_calculateDebtReserves): the real one of y is h + sqrt(x y lower + h²), where h is half of
 * x * mean - y; all others follow from it.
 */
function debtOf(mean: bigint, lower: bigint, x: bigint, y: bigint): FluidReserves | undefined {
  const half = (x * mean - y * PRICE_ONE) / (2n * PRICE_ONE);
  const product = x * y;
  const part = product < LARGE_PRODUCT ? (product * lower) / PRICE_ONE : (product / PRICE_ONE) * lower;
  const realY = half + squareRoot(part + half * half);
  const below = realY * PRICE_ONE - x * lower;
  if (realY <= 0n || below < MIN_IMAGINARY) return undefined;
  const divisor = realY < LARGE_RESERVE ? below : below / PRICE_ONE;
  if (divisor === 0n) return undefined;
  const imaginaryY = (realY * realY * (realY < LARGE_RESERVE ? PRICE_ONE : 1n)) / divisor;
  const imaginaryX = (imaginaryY * x) / realY - x;
  if (imaginaryX <= 0n || imaginaryY <= 0n) return undefined;
  return { real: [(imaginaryX * y) / (imaginaryY + y), realY], imaginary: [imaginaryX, imaginaryY] };
}
