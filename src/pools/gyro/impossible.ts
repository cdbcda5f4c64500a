import { ONE } from "../../math/fixed-point.ts";
import { areAbove, faultOfBalancer, unless } from "../curve/faults.ts";
import { ELLIPSE_PARAMETERS, ellipseOf } from "./ellipse.ts";
import type { GyroState } from "./state.ts";

/** Square roots of prices for which no product of a 2-CLP comes near 256 bits. */
const [MIN_ROOT, MAX_ROOT] = [10n ** 12n, 10n ** 24n];
/** Cube roots of prices of 0.004 and 0.9999, the contract's own limits (Gyro3CLPMath.sol, _MIN_ROOT_3_ALPHA, _MAX_ROOT_3_ALPHA). */
const [MIN_CUBE_ROOT, MAX_CUBE_ROOT] = [158_740_105_196_819_970n, 999_966_665_555_493_800n];
/** Largest stretch of an ellipse, and the most that its extra digits may be off one (GyroECLPMath.sol, validateDerivedParamsLimits). */
const MAX_STRETCH = 10n ** 26n;
const [ONE_XP, ACCURACY] = [10n ** 38n, 10n ** 23n];

/** Why no contract can be in such a state; undefined where one can. */
export function impossibleGyro(state: GyroState): string | undefined {
  const { kind, scales, rates, swapFee, parameters } = state;
  const fault = faultOfBalancer({ scales, swapFee });
  if (fault !== undefined) return fault;
  if (scales.length !== (kind === "3clp" ? 3 : 2)) return `${scales.length} tokens in a pool of ${kind}`;
  if (!areAbove(0n, rates)) return "rates: one that is zero";
  return unless(arePossible(kind, parameters), "parameters of no pool");
}

/** Whether a pool's constructor takes such parameters. */
function arePossible(kind: GyroState["kind"], parameters: readonly bigint[]): boolean {
  const [first = 0n, second = 0n] = parameters;
  if (kind === "2clp") return parameters.length === 2 && first >= MIN_ROOT && first < second && second <= MAX_ROOT;
  if (kind === "3clp") return parameters.length === 1 && first >= MIN_CUBE_ROOT && first <= MAX_CUBE_ROOT;
  if (parameters.length !== ELLIPSE_PARAMETERS) return false;
  const { c, s, lambda, tauAlpha, tauBeta, u, v, w, z, dSq } = ellipseOf(parameters);
  const within = [tauAlpha.x, tauAlpha.y, tauBeta.x, tauBeta.y, u, v, w, z].every(
    (each) => each <= ONE_XP + ACCURACY && each >= -ONE_XP - ACCURACY,
  );
  const turned = c >= 0n && c <= ONE && s >= 0n && s <= ONE && lambda >= ONE && lambda <= MAX_STRETCH;
  return within && turned && dSq >= ONE_XP - ACCURACY && dSq <= ONE_XP + ACCURACY;
}
