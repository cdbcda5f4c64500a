import { ONE } from "./fixed-point.ts";

/**
 * x^y with 18 decimals, digit by digit as Balancer's contracts find it (LogExpMath.sol): e^(y ln x), both by a table of
 * powers of e and a Taylor series. Undefined where the contract would revert.
 */

const ONE_20 = 10n ** 20n;
const ONE_36 = 10n ** 36n;
const MAX_EXPONENT = 130n * ONE;
const MIN_EXPONENT = -41n * ONE;
/** Between these the logarithm is taken with 36 decimals. */
const NEAR_ONE = [ONE - ONE / 10n, ONE + ONE / 10n] as const;
const MAX_POWER = 2n ** 254n / ONE_20;

/** e^128 and e^64, without decimals. */
const WHOLE: readonly (readonly [exponent: bigint, power: bigint])[] = [
  [128n * ONE, 38877084059945950922200000000000000000000000000000000000n],
  [64n * ONE, 6235149080811616882910000000n],
];
/** Exponents from 32 to 1/16, each half of the one before, and e to their power: 20 decimals. */
const PARTS: readonly (readonly [exponent: bigint, power: bigint])[] = [
  7896296018268069516100000000000000n,
  888611052050787263676000000n,
  298095798704172827474000n,
  5459815003314423907810n,
  738905609893065022723n,
  271828182845904523536n,
  164872127070012814685n,
  128402541668774148407n,
  113314845306682631683n,
  106449445891785942956n,
].map((power, i) => [(32n * ONE_20) >> BigInt(i), power]);
/** The exponential needs no smaller part than 1/4. */
const PARTS_OF_EXP = PARTS.slice(0, 8);
const TERMS_OF_EXP = 12n;

export function pow(x: bigint, y: bigint): bigint | undefined {
  if (y === 0n) return ONE;
  if (x === 0n) return 0n;
  if (x >> 255n !== 0n || y >= MAX_POWER) return undefined;
  const exponent = (isNearOne(x) ? timesNear(lnNearOne(x), y) : ln(x) * y) / ONE;
  return exponent < MIN_EXPONENT || exponent > MAX_EXPONENT ? undefined : exp(exponent);
}

function isNearOne(x: bigint): boolean {
  return x > NEAR_ONE[0] && x < NEAR_ONE[1];
}

/** A logarithm of 36 decimals times y, in parts so that the contract's numbers hold it. */
function timesNear(logarithm: bigint, y: bigint): bigint {
  return (logarithm / ONE) * y + ((logarithm % ONE) * y) / ONE;
}

function exp(x: bigint): bigint {
  if (x < 0n) return (ONE * ONE) / exp(-x);
  let rest = x;
  let whole = 1n;
  const first = WHOLE.find(([exponent]) => rest >= exponent);
  if (first !== undefined) {
    rest -= first[0];
    whole = first[1];
  }
  rest *= 100n;
  let product = ONE_20;
  for (const [exponent, power] of PARTS_OF_EXP) {
    if (rest < exponent) continue;
    rest -= exponent;
    product = (product * power) / ONE_20;
  }
  let sum = ONE_20;
  let term = ONE_20;
  for (let n = 1n; n <= TERMS_OF_EXP; n++) {
    term = (term * rest) / ONE_20 / n;
    sum += term;
  }
  return (((product * sum) / ONE_20) * whole) / 100n;
}

/** Natural logarithm, 18 decimals. */
function ln(x: bigint): bigint {
  if (x < ONE) return -ln((ONE * ONE) / x);
  let a = x;
  let sum = 0n;
  for (const [exponent, power] of WHOLE) {
    if (a < power * ONE) continue;
    a /= power;
    sum += exponent;
  }
  sum *= 100n;
  a *= 100n;
  for (const [exponent, power] of PARTS) {
    if (a < power) continue;
    a = (a * ONE_20) / power;
    sum += exponent;
  }
  return (sum + areaTangent(a, ONE_20, 11n)) / 100n;
}

/** Natural logarithm of a number near one, 36 decimals. */
function lnNearOne(x: bigint): bigint {
  return areaTangent(x * ONE, ONE_36, 15n);
}

/** ln a = 2 (z + z³/3 + z⁵/5 + …) for z = (a - 1) / (a + 1), up to the power `last`. */
function areaTangent(a: bigint, one: bigint, last: bigint): bigint {
  const z = ((a - one) * one) / (a + one);
  const squared = (z * z) / one;
  let power = z;
  let sum = z;
  for (let n = 3n; n <= last; n += 2n) {
    power = (power * squared) / one;
    sum += power / n;
  }
  return sum * 2n;
}
