import { complement, divDown, divUp, mulDown, mulUp, ONE } from "../../math/fixed-point.ts";
import { pow } from "../../math/log-exp-math.ts";

/** Part of a balance that may go in or out at once, 18 decimals. */
const MAX_AT_ONCE = (3n * ONE) / 10n;
/** The power's greatest error, in parts of 10^18 of its value. */
const ERROR_OF_POWER = 10_000n;

/** One direction of a pool, in 18 decimals. */
export interface WeightedPair {
  readonly balanceIn: bigint;
  readonly weightIn: bigint;
  readonly balanceOut: bigint;
  readonly weightOut: bigint;
  /** Whether even squares are found by their logarithm: see WeightedState. */
  readonly firstVersion?: true;
}

/** The most that may come in, the fee already off, and go out in one swap (_MAX_IN_RATIO, _MAX_OUT_RATIO). */
export function mostAtOnce(balance: bigint): bigint {
  return mulDown(balance, MAX_AT_ONCE);
}

/** WeightedMath.sol, _calcOutGivenIn. Undefined where the contract would revert. */
export function outGivenIn(
  { balanceIn, weightIn, balanceOut, weightOut, firstVersion }: WeightedPair,
  amountIn: bigint,
) {
  const power = powUp(divUp(balanceIn, balanceIn + amountIn), divDown(weightIn, weightOut), firstVersion);
  return power === undefined ? undefined : mulDown(balanceOut, complement(power));
}

/** WeightedMath.sol, _calcInGivenOut. Undefined where the contract would revert. */
export function inGivenOut(
  { balanceIn, weightIn, balanceOut, weightOut, firstVersion }: WeightedPair,
  amountOut: bigint,
) {
  const power = powUp(divUp(balanceOut, balanceOut - amountOut), divUp(weightOut, weightIn), firstVersion);
  return power === undefined || power < ONE ? undefined : mulUp(balanceIn, power - ONE);
}

/**
 * x^y rounded up by the power's greatest error (FixedPoint.sol, powUp). It is exact for the exponents of pools of one half or
 * one fifth, except in the first version.
 */
export function powUp(x: bigint, y: bigint, firstVersion = false): bigint | undefined {
  if (y === ONE && !firstVersion) return x;
  if (y === 2n * ONE && !firstVersion) return mulUp(x, x);
  if (y === 4n * ONE && !firstVersion) {
    const square = mulUp(x, x);
    return mulUp(square, square);
  }
  const raw = pow(x, y);
  return raw === undefined ? undefined : raw + mulUp(raw, ERROR_OF_POWER) + 1n;
}
