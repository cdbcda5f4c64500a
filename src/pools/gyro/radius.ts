import type { Ellipse, Radius } from "./ellipse.ts";
import { rootOf } from "./root.ts";
import { divDown, divUp, divXp, mulDown, mulUp, mulXp, ONE_XP, timesDown, timesUp } from "./signed.ts";

/** The most that both balances may be together, and the largest radius; 18 decimals (_MAX_BALANCES, _MAX_INVARIANT). */
export const MAX_BALANCES = 10n ** 34n;
const MAX_INVARIANT = 3n * 10n ** 37n;
/** Constants of the contract's bound for its own error. */
const [ERRORS, OF_DENOMINATOR] = [20n, 40n];

/**
 * The radius of the ellipse on which two scaled balances are (GyroECLPMath.sol, calculateInvariantWithError). Undefined where the
 * contract would revert.
 */
export function radiusOf(ellipse: Ellipse, x: bigint, y: bigint): Radius | undefined {
  if (x + y > MAX_BALANCES) return undefined;
  const { lambda } = ellipse;
  const root = rootPart(ellipse, x, y);
  const denominator = lengthOfChi(ellipse) - ONE_XP;
  if (root === undefined || denominator === 0n) return undefined;
  const offRoot = (mulUp(x, x) + mulUp(y, y)) / ONE_XP;
  const offSum = root > 0n ? divUp(offRoot + 1n, 2n * root) : offRoot > 0n ? rootOf(offRoot) : 10n ** 9n;
  if (offSum === undefined) return undefined;
  const off = (mulUp(lambda, x + y) / ONE_XP + offSum + 1n) * ERRORS;
  const factor = divXp(ONE_XP, denominator);
  const under = timesDown(timesChi(ellipse, x, y) + root - off, factor);
  const ofDenominator = (timesUp(under, factor) * ((lambda * lambda) / 10n ** 36n) * OF_DENOMINATOR) / ONE_XP;
  const error = timesUp(off, factor) + ofDenominator + 1n;
  return under + error > MAX_INVARIANT ? undefined : { over: under + 2n * error, under };
}

/** The product of the point (x, y) with the centre, both on the circle of radius one (calcAtAChi). */
function timesChi({ c, s, lambda, u, v, w, z, dSq }: Ellipse, x: bigint, y: bigint): bigint {
  const dSq2 = mulXp(dSq, dSq);
  const across = divXp(divDown(divDown(w, lambda) + z, lambda), dSq2);
  const long = mulDown(mulDown(x, lambda), s) + mulDown(mulDown(y, lambda), c);
  return (
    timesDown(mulDown(x, c) - mulDown(y, s), across) +
    timesDown(long, divXp(u, dSq2)) +
    timesDown(mulDown(x, s) + mulDown(y, c), divXp(v, dSq2))
  );
}

/** The square of the centre's distance on the circle, 38 decimals (calcAChiAChiInXp). */
function lengthOfChi({ lambda, u, v, w, z, dSq }: Ellipse): bigint {
  const dSq3 = mulXp(mulXp(dSq, dSq), dSq);
  const across = divUp(w, lambda) + z;
  return (
    mulUp(lambda, divXp(mulXp(2n * u, v), dSq3)) +
    mulUp(mulUp(divXp(mulXp(u + 1n, u + 1n), dSq3), lambda), lambda) +
    divXp(mulXp(v, v), dSq3) +
    divXp(mulXp(across, across), dSq3)
  );
}

/** The root in the solution for the radius, rounded down (calcInvariantSqrt). */
function rootPart(ellipse: Ellipse, x: bigint, y: bigint): bigint | undefined {
  const sum = firstSquares(ellipse, x, y) + mixedProduct(ellipse, x, y) + secondSquares(ellipse, x, y);
  return sum > 0n ? rootOf(sum) : 0n;
}

/** -(At)x^2 (A chi)y^2 + (At)x^2 (calcMinAtxAChiySqPlusAtxSq). */
function firstSquares({ c, s, lambda, u, v, dSq }: Ellipse, x: bigint, y: bigint): bigint {
  const own =
    mulUp(mulUp(mulUp(x, x), c), c) + mulUp(mulUp(mulUp(y, y), s), s) - mulDown(mulDown(mulDown(x, y), c * 2n), s);
  const sum = mulXp(u, u) + divDown(mulXp(2n * u, v), lambda) + divDown(divDown(mulXp(v, v), lambda), lambda);
  const rest = divDown(divDown(own - 9n, lambda), lambda);
  return timesDown(-own, divXp(sum, fourth(dSq))) + timesDown(rest, divXp(ONE_XP, dSq));
}

/** 2 (At)x (At)y (A chi)x (A chi)y (calc2AtxAtyAChixAChiy). */
function mixedProduct({ c, s, lambda, u, v, w, z, dSq }: Ellipse, x: bigint, y: bigint): bigint {
  const twice = mulDown(y, 2n * x);
  const own =
    mulDown(mulDown(mulDown(x, x) - mulUp(y, y), 2n * c), s) +
    mulDown(mulDown(twice, c), c) -
    mulDown(mulDown(twice, s), s);
  const sum = mulXp(z, u) + divDown(divDown(mulXp(w, v), lambda), lambda) + divDown(mulXp(w, u) + mulXp(z, v), lambda);
  return timesDown(own, divXp(sum, fourth(dSq)));
}

/** -(At)y^2 (A chi)x^2 + (At)y^2 (calcMinAtyAChixSqPlusAtySq). */
function secondSquares({ c, s, lambda, w, z, dSq }: Ellipse, x: bigint, y: bigint): bigint {
  const own = mulUp(mulUp(mulUp(x, x), s), s) + mulUp(mulUp(mulUp(y, y), c), c) + mulUp(mulUp(mulUp(x, y), s * 2n), c);
  const sum = mulXp(z, z) + divDown(divDown(mulXp(w, w), lambda), lambda) + divDown(mulXp(2n * z, w), lambda);
  return timesDown(-own, divXp(sum, fourth(dSq))) + timesDown(own - 9n, divXp(ONE_XP, dSq));
}

function fourth(dSq: bigint): bigint {
  return mulXp(mulXp(mulXp(dSq, dSq), dSq), dSq);
}
