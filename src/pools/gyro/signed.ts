/**
 * Signed numbers of 18 and of 38 decimals as Gyroscope's contracts multiply and divide them (SignedFixedPoint.sol). Nothing here
 * looks for overflow: the limits of an E-CLP's parameters and balances keep everything below 256 bits.
 */

const ONE = 10n ** 18n;
/** One with extra precision. */
export const ONE_XP = 10n ** 38n;
/** A factor of 38 decimals is taken in two halves of 19 digits. */
const HALF = 10n ** 19n;

/** a * b, rounded toward zero. */
export function mulDown(a: bigint, b: bigint): bigint {
  return (a * b) / ONE;
}

/** a * b, rounded away from zero. */
export function mulUp(a: bigint, b: bigint): bigint {
  return awayFromZero(a * b, ONE);
}

/** a / b, rounded toward zero. */
export function divDown(a: bigint, b: bigint): bigint {
  return (a * ONE) / b;
}

/** a / b for a positive b, rounded away from zero. */
export function divUp(a: bigint, b: bigint): bigint {
  return awayFromZero(a * ONE, b);
}

/** a * b with 38 decimals throughout, rounded toward zero. */
export function mulXp(a: bigint, b: bigint): bigint {
  return (a * b) / ONE_XP;
}

/** a / b with 38 decimals throughout, rounded toward zero. */
export function divXp(a: bigint, b: bigint): bigint {
  return (a * ONE_XP) / b;
}

/** a * factor of a factor with 38 decimals, rounded down, or below that by one. */
export function timesDown(a: bigint, factor: bigint): bigint {
  const high = a * (factor / HALF);
  const low = a * (factor % HALF);
  const sum = high + low / HALF;
  return high >= 0n && low >= 0n ? sum / HALF : (sum + 1n) / HALF - 1n;
}

/** a * factor of a factor with 38 decimals, rounded up, or above that by one. */
export function timesUp(a: bigint, factor: bigint): bigint {
  const high = a * (factor / HALF);
  const low = a * (factor % HALF);
  const sum = high + low / HALF;
  return high <= 0n && low <= 0n ? sum / HALF : (sum - 1n) / HALF + 1n;
}

function awayFromZero(product: bigint, by: bigint): bigint {
  if (product > 0n) return (product - 1n) / by + 1n;
  return product < 0n ? (product + 1n) / by - 1n : 0n;
}
