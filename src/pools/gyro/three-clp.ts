import { divDown, divUp, mulDown, mulUp, ONE } from "../../math/fixed-point.ts";
import { rootOf } from "./root.ts";

/** The greatest invariant that the contract takes (Gyro3CLPMath.sol, _L_MAX). */
const MAX_INVARIANT = 10n ** 34n;
/** Above it products are taken in parts (_L_THRESHOLD_SIMPLE_NUMERICS). */
const SIMPLE_BELOW = 2n * 10n ** 31n;
/** The least root as a part of the polynomial's minimum (_L_VS_LPLUS_MIN). */
const OVER_MINIMUM = 13n * 10n ** 17n;
const MAX_ROUNDS = 255;
const MIN_ROUNDS = 5;
/** A step has to be this many times smaller than the one before it. */
const SHRINKS = 8n;

/** Coefficients of a L^3 - b L^2 - c L - d, all positive, where a = 1 - root^3. */
interface Cubic {
  readonly root3Alpha: bigint;
  readonly b: bigint;
  readonly c: bigint;
  readonly d: bigint;
  /** Lowest value of L at which a step is taken. */
  readonly lowest: bigint;
}

/**
 * Addend of a 3-CLP's balances that keeps the product of any two in a swap (Gyro3CLPMath.sol, _calculateInvariant; times
 * the cube root of the lowest price). 18 decimals; undefined where the contract would revert.
 */
export function offsetOf3Clp([x, y, z]: readonly [bigint, bigint, bigint], root3Alpha: bigint): bigint | undefined {
  const cube = timesCube(ONE, root3Alpha);
  const a = ONE - cube;
  const b = mulDown(mulDown(x + y + z, root3Alpha), root3Alpha);
  const c = mulDown(mulDown(x, y) + mulDown(y, z) + mulDown(z, x), root3Alpha);
  const d = mulDown(mulDown(x, y), z);
  const radix = rootOf(mulUp(b, b) + mulUp(a, c * 3n));
  if (radix === undefined) return undefined;
  const minimum = divUp(b + radix, a * 3n);
  const start = mulUp(minimum, (cube >= ONE / 2n ? 3n * ONE : 4n * ONE) / 2n);
  const invariant = largestRoot({ root3Alpha, b, c, d, lowest: mulUp(minimum, OVER_MINIMUM) }, start);
  return invariant === undefined ? undefined : mulDown(invariant, root3Alpha);
}

/** Newton's iteration from above (_runNewtonIteration). */
function largestRoot(cubic: Cubic, start: bigint): bigint | undefined {
  let root = start;
  let before = 0n;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    if (root > MAX_INVARIANT || root < cubic.lowest) return undefined;
    const step = stepAt(cubic, root);
    if (step === undefined) return undefined;
    const size = step < 0n ? -step : step;
    if (size <= 1n || (round >= MIN_ROUNDS && (step >= 0n || size >= before / SHRINKS))) return root;
    before = size;
    root += step;
  }
  return undefined;
}

/** -f(L) / f'(L), in the order of operations of the contract (_calcNewtonDelta). */
function stepAt({ root3Alpha, b, c, d }: Cubic, root: bigint): bigint | undefined {
  const square = mulDown(root, root);
  const rising = mulDown(root * 3n, root);
  const slope = rising - timesCube(rising, root3Alpha) - 2n * mulDown(root, b) - c;
  if (slope <= 0n) return undefined;
  if (root <= SIMPLE_BELOW) {
    const cubed = mulDown(square, root);
    const minus = divDown(cubed - timesCube(cubed, root3Alpha), slope);
    return divDown(mulDown(square, b) + mulDown(root, c), slope) + divDown(d, slope) - minus;
  }
  const cubed = inParts(square, root);
  const less = inParts(inParts(inParts(cubed, root3Alpha), root3Alpha), root3Alpha);
  const minus = divLarge(cubed - less, slope, 10n ** 9n);
  return divLarge(inParts(square, b) + mulDown(c, root), slope, 10n ** 12n) + divDown(d, slope) - minus;
}

function timesCube(value: bigint, root: bigint): bigint {
  return mulDown(mulDown(mulDown(value, root), root), root);
}

/** a * b by the whole and the rest of a (mulDownLargeSmall). */
function inParts(a: bigint, b: bigint): bigint {
  return (a / ONE) * b + mulDown(a % ONE, b);
}

/** a / b, of which a gives so many of the 18 digits and b the others (divDownLarge). */
function divLarge(a: bigint, b: bigint, digits: bigint): bigint {
  return (a * digits) / (1n + (b - 1n) / (ONE / digits));
}
