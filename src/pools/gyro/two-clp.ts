import { divDown, mulDown, mulUp, ONE } from "../../math/fixed-point.ts";
import { rootOf } from "./root.ts";

/**
 * Largest invariant that is traded with, 18 decimals. A limit of ours: up to it, all products of a swap fit into 256 bits, for
 * every balance and pair of roots that is served. The contract itself has none, and takes larger ones where products fit.
 */
const MAX_INVARIANT = 10n ** 41n;

/**
 * Addends of a 2-CLP's balances that keep their product in a swap: virtual reserves for all prices between the two bounds
 * (Gyro2CLPMath.sol, _calculateInvariant and _calculateVirtualParameter). 18 decimals; undefined where the contract would revert.
 */
export function offsetsOf2Clp(
  [x, y]: readonly [bigint, bigint],
  [sqrtAlpha, sqrtBeta]: readonly [bigint, bigint],
): readonly [bigint, bigint] | undefined {
  // L is the positive root of a L^2 - b L - c; b^2 is found by itself, with more digits.
  const a = ONE - divDown(sqrtAlpha, sqrtBeta);
  const b = divDown(y, sqrtBeta) + mulDown(x, sqrtAlpha);
  const c = mulDown(x, y);
  const square =
    mulDown(mulDown(mulDown(x, x), sqrtAlpha), sqrtAlpha) +
    divDown(mulDown(mulDown(c, 2n * ONE), sqrtAlpha), sqrtBeta) +
    divDown(mulDown(y, y), mulUp(sqrtBeta, sqrtBeta));
  const root = rootOf(square + mulDown(mulDown(c, 4n * ONE), a));
  if (root === undefined || a === 0n) return undefined;
  const invariant = divDown(b + root, mulUp(a, 2n * ONE));
  return invariant > MAX_INVARIANT ? undefined : [divDown(invariant, sqrtBeta), mulDown(invariant, sqrtAlpha)];
}
