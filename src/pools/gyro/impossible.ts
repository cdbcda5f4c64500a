import { ONE } from "../../math/fixed-point.ts";
import { areAbove, faultOfBalancer, unless } from "../curve/faults.ts";
import { ELLIPSE_PARAMETERS, type Ellipse, ellipseOf, type Vector } from "./ellipse.ts";
import { ONE_XP } from "./signed.ts";
import type { GyroState } from "./state.ts";

/** Square roots of prices that a 2-CLP may lie between. Limits of ours, for `MAX_INVARIANT` in two-clp.ts. */
const [MIN_ROOT, MAX_ROOT] = [10n ** 12n, 10n ** 24n];
/** Cube roots of prices of 0.004 and 0.9999, the contract's own limits (Gyro3CLPMath.sol, _MIN_ROOT_3_ALPHA, _MAX_ROOT_3_ALPHA). */
const [MIN_CUBE_ROOT, MAX_CUBE_ROOT] = [158_740_105_196_819_970n, 999_966_665_555_493_800n];
/**
 * Largest stretch of an ellipse, 18 decimals. A limit of ours: contracts take ten times as much (GyroECLPMath.sol,
 * _MAX_STRETCH_FACTOR), where the float view is too coarse for searches. Balancer's own examples are stretched a million times
 * at most.
 */
const MAX_STRETCH = 10n ** 25n;
const ONE_36 = ONE * ONE;
/** The most that c^2 + s^2 may be off one, 36 decimals (GyroECLPMath.sol, _ROTATION_VECTOR_NORM_ACCURACY). */
const ROTATION_ACCURACY = 10n ** 21n;
/** The most that the square of a point's distance may be off one, 38 decimals (_DERIVED_TAU_NORM_ACCURACY_XP). */
const CIRCLE_ACCURACY = 10n ** 23n;
/** The most that a derived parameter may be off its formula, 38 decimals. Those of genuine pools are off by their last digit. */
const DERIVED_ACCURACY = 10n ** 8n;

/** Why no pool that is served can be in such a state; undefined where one can. */
export function impossibleGyro(state: GyroState): string | undefined {
  const { kind, scales, rates, swapFee, parameters } = state;
  const fault = faultOfBalancer({ scales, swapFee });
  if (fault !== undefined) return fault;
  if (scales.length !== (kind === "3clp" ? 3 : 2)) return `${scales.length} tokens in a pool of ${kind}`;
  if (!areAbove(0n, rates)) return "rates: one that is zero";
  return unless(arePossible(kind, parameters), "parameters of no pool");
}

/** Whether a pool of these parameters is served: its constructor takes them, and so does our maths. */
function arePossible(kind: GyroState["kind"], parameters: readonly bigint[]): boolean {
  const [first = 0n, second = 0n] = parameters;
  if (kind === "2clp") return parameters.length === 2 && first >= MIN_ROOT && first < second && second <= MAX_ROOT;
  if (kind === "3clp") return parameters.length === 1 && first >= MIN_CUBE_ROOT && first <= MAX_CUBE_ROOT;
  if (parameters.length !== ELLIPSE_PARAMETERS) return false;
  const ellipse = ellipseOf(parameters);
  const { c, s, lambda, tauAlpha, tauBeta } = ellipse;
  const isTurned = c >= 0n && s >= 0n && isNear(c * c + s * s, ONE_36, ROTATION_ACCURACY);
  if (!isTurned || lambda < ONE || lambda > MAX_STRETCH || tauAlpha.x >= tauBeta.x) return false;
  return [tauAlpha, tauBeta].every((tau) => isOfPrice(ellipse, tau)) && areDerived(ellipse);
}

/** Whether a point is on the unit circle, at a price above zero. */
function isOfPrice({ c, s, lambda }: Ellipse, { x, y }: Vector): boolean {
  const isOnCircle = isNear(x * x + y * y, ONE_XP * ONE_XP, CIRCLE_ACCURACY * ONE_XP);
  return isOnCircle && y > 0n && s * lambda * y + c * ONE * x > 0n && c * lambda * y - s * ONE * x > 0n;
}

/**
 * Whether derived parameters follow from the others (GyroECLPMath.sol, DerivedParams). The constructor takes whatever its caller
 * has derived, and looks at sizes alone: an invariant by parameters that do not fit belongs to no curve.
 */
function areDerived({ c, s, tauAlpha, tauBeta, u, v, w, z, dSq }: Ellipse): boolean {
  const [both, cosine, sine] = [c * s, c * c, s * s];
  const formulas = [
    [u, both * (tauBeta.x - tauAlpha.x)],
    [v, sine * tauBeta.y + cosine * tauAlpha.y],
    [w, both * (tauBeta.y - tauAlpha.y)],
    [z, cosine * tauBeta.x + sine * tauAlpha.x],
    [dSq, (cosine + sine) * ONE_XP],
  ] as const;
  return formulas.every(([told, exact]) => isNear(told * ONE_36, exact, DERIVED_ACCURACY * ONE_36));
}

function isNear(value: bigint, exact: bigint, accuracy: bigint): boolean {
  return value <= exact + accuracy && value >= exact - accuracy;
}
