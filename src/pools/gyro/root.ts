import { mulDown, mulUp, ONE } from "../../math/fixed-point.ts";
import { squareRoot } from "../../math/square-root.ts";

const ROUNDS = 7;
/** Times its last digit by which the square of a root may be off. */
const TOLERANCE = 5n;

/**
 * Square root of an unsigned number of 18 decimals by seven of Newton's steps (GyroPoolMath.sol, _sqrt). Undefined where the
 * contract would revert: if it is not near enough after these.
 */
export function rootOf(value: bigint): bigint | undefined {
  if (value === 0n) return 0n;
  let root = firstGuess(value);
  for (let round = 0; round < ROUNDS; round++) root = (root + (value * ONE) / root) / 2n;
  const [square, off] = [mulDown(root, root), mulUp(root, TOLERANCE)];
  return square <= value + off && value >= off && square >= value - off ? root : undefined;
}

/** Start of Newton's steps: a power of two above one, a table of powers of ten below. */
function firstGuess(value: bigint): bigint {
  if (value >= ONE) {
    const bits = (value / ONE).toString(2).length;
    return (1n << BigInt((bits - 1) >> 1)) * ONE;
  }
  let power = 10n;
  while (power < value) power *= 10n;
  return power === ONE ? value : squareRoot(power * ONE);
}
