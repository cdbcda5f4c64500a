import { ONE } from "../../math/fixed-point.ts";
import { MAX_UINT256 } from "../../math/full-math.ts";

/**
 * The curve x³y + xy³ = k in integers, as the pools of Solidly's kind compute it (Pool.sol of Velodrome V2: _k, _f, _d,
 * _get_y, _getAmountOut). Amounts are in 10^-18 of a token here. What would make the contract revert is undefined.
 */

const MAX_ROUNDS = 255;

/** The invariant: xy(x² + y²), every product divided by 10^18 as it is made. */
function invariant(x: bigint, y: bigint): bigint {
  return (((x * y) / ONE) * ((x * x) / ONE + (y * y) / ONE)) / ONE;
}

/** Invariant of amounts in base units of the tokens. */
export function invariantOfUnits([x, y]: readonly [bigint, bigint], units: readonly [bigint, bigint]): bigint {
  return invariant((x * ONE) / units[0], (y * ONE) / units[1]);
}

/** An amount in base units, in 10^-18 of a token. */
export function scaled(amount: bigint, unit: bigint): bigint {
  return (amount * ONE) / unit;
}

function slope(x: bigint, y: bigint): bigint {
  return (3n * x * ((y * y) / ONE)) / ONE + (((x * x) / ONE) * x) / ONE;
}

/**
 * The reserve y that belongs to x at the invariant `k`, by Newton's method from `start`. Where the last step from below
 * rounds to nothing the contract asks for the invariant of (x, y + 1) as if both were in base units: where that is too
 * large for it, it reverts.
 */
export function reserveAt(x: bigint, k: bigint, start: bigint, units: readonly [bigint, bigint]): bigint | undefined {
  let y = start;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const found = invariant(x, y);
    const rise = slope(x, y);
    if (rise === 0n) return undefined;
    if (found < k) {
      let step = ((k - found) * ONE) / rise;
      if (step === 0n) {
        const next = checkedInvariant(scaled(x, units[0]), scaled(y + 1n, units[1]));
        if (next === undefined) return undefined;
        if (next > k) return y + 1n;
        step = 1n;
      }
      y += step;
    } else {
      let step = ((found - k) * ONE) / rise;
      if (step === 0n) {
        if (found === k) return y;
        if (y === 0n) return undefined;
        if (invariant(x, y - 1n) < k) return y;
        step = 1n;
      }
      if (step > y) return undefined;
      y -= step;
    }
  }
  return undefined;
}

function checkedInvariant(x: bigint, y: bigint): bigint | undefined {
  const product = x * y;
  const squareX = x * x;
  const squareY = y * y;
  if (product > MAX_UINT256 || squareX > MAX_UINT256 || squareY > MAX_UINT256) return undefined;
  const both = (product / ONE) * (squareX / ONE + squareY / ONE);
  return both > MAX_UINT256 ? undefined : both / ONE;
}
