import { divRoundingUp, MAX_UINT256, smaller } from "../../math/full-math.ts";
import { squareRoot } from "../../math/square-root.ts";

/**
 * Formulas of DODO's proactive market maker with its contracts' roundings (DODOMath.sol, DecimalMath.sol, PMMPricing.sol). A
 * reserve V with the target V0 is traded at the price i * (1 - k + k * (V0 / V)^2). Undefined where the contracts revert.
 */

export const ONE = 10n ** 18n;
const ONE_SQUARED = ONE * ONE;

/** Price or slope of a reserve. */
export interface Pricing {
  readonly i: bigint;
  readonly k: bigint;
}

/** The way of a reserve from `low` up to `high`, below its target, in the other token (_GeneralIntegrate). */
export function integrated(target: bigint, high: bigint, low: bigint, { i, k }: Pricing): bigint | undefined {
  if (target === 0n || low === 0n) return undefined;
  const fair = i * (high - low);
  if (k === 0n) return fair / ONE;
  const far = (((target * target) / high) * ONE) / low;
  const rate = ONE - k + (k * far) / ONE;
  return rate * fair > MAX_UINT256 ? undefined : (rate * fair) / ONE_SQUARED;
}

/** The target from which a reserve has come down to `held`, while `spare` of the other token came in (_SolveQuadraticFunctionForTarget). */
export function targetFor(held: bigint, spare: bigint, { i, k }: Pricing): bigint | undefined {
  if (spare < 0n) return undefined;
  if (k === 0n) return held + (i * spare) / ONE;
  if (held === 0n) return 0n;
  const slope = 4n * k * i;
  const product = slope * spare;
  const grown = product <= MAX_UINT256 ? product / held : (slope / held) * spare;
  const root = slope === 0n ? ONE : squareRoot(grown + ONE_SQUARED);
  return (held * (((root - ONE) * ONE) / (2n * k) + ONE)) / ONE;
}

/** Payment of a reserve for `amount` of the other token, from `held` down (_SolveQuadraticFunctionForTrade). */
export function paidFor(target: bigint, held: bigint, amount: bigint, { i, k }: Pricing): bigint | undefined {
  if (target === 0n) return undefined;
  if (amount === 0n) return 0n;
  const fair = i * amount;
  if (fair > MAX_UINT256) return undefined;
  if (k === 0n) return smaller(fair / ONE, held);
  if (k === ONE) {
    const product = fair * held;
    const part = product <= MAX_UINT256 ? product / (target * target) : (((amount * held) / target) * i) / target;
    return held * part > MAX_UINT256 ? undefined : (held * part) / (part + ONE);
  }
  if (held === 0n) return undefined;
  const left = leftOf(target, held, fair, k);
  if (left === undefined) return undefined;
  return left > held ? 0n : held - left;
}

/** The positive root of (1 - k) x^2 + b x - k target^2, where b = k target^2 / held + fair - (1 - k) held. */
function leftOf(target: bigint, held: bigint, fair: bigint, k: bigint): bigint | undefined {
  const plus = ((k * target) / held) * target + fair;
  const minus = (ONE - k) * held;
  const isPositive = plus > minus;
  const b = (isPositive ? plus - minus : minus - plus) / ONE;
  const square = b * b + ((ONE - k) * 4n * (((k * target) / ONE) * target)) / ONE;
  if (plus > MAX_UINT256 || square > MAX_UINT256) return undefined;
  const root = squareRoot(square);
  const twice = isPositive ? root - b : root + b;
  if (twice === 0n || twice * ONE > MAX_UINT256) return undefined;
  return divRoundingUp(twice * ONE, (ONE - k) * 2n);
}
