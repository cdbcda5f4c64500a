import { MAX_UINT256 } from "../../math/full-math.ts";
import type { SavingsState } from "./state.ts";

/** One, with 27 digits after the point. */
export const RAY = 10n ** 27n;
const HALF = RAY / 2n;

/**
 * The rate of a share at a time in Unix seconds, undefined where a product of it exceeds 256 bits and the contract reverts.
 * Source: Maker's Pot (pot.sol: drip), Sky's SUsds (SUsds.sol: drip).
 */
export function rateAt(
  { rate, growth, updatedAt }: Pick<SavingsState, "rate" | "growth" | "updatedAt">,
  time: bigint,
): bigint | undefined {
  if (time <= updatedAt) return rate;
  const grown = power(growth, time - updatedAt);
  return grown === undefined || grown * rate > MAX_UINT256 ? undefined : (grown * rate) / RAY;
}

/** Power by squaring, each product rounded to the nearest in 27 digits. Source: `_rpow` of the same contracts. */
function power(base: bigint, exponent: bigint): bigint | undefined {
  let square = base;
  let result = exponent % 2n === 0n ? RAY : base;
  for (let left = exponent / 2n; left > 0n; left /= 2n) {
    const squared = square * square + HALF;
    if (squared > MAX_UINT256) return undefined;
    square = squared / RAY;
    if (left % 2n === 0n) continue;
    const product = result * square + HALF;
    if (product > MAX_UINT256) return undefined;
    result = product / RAY;
  }
  return result;
}
