import { divRoundingUp, MAX_UINT256 } from "../../math/full-math.ts";
import { invariantOf } from "../stableswap/invariant.ts";

/** The contract's unit of amplification (_AMP_PRECISION). */
export const A_PRECISION = 1_000n;
const MAX_ROUNDS = 255;

/**
 * The invariant of scaled balances, none of them zero (StableMath.sol, _calculateInvariant): Curve's own steps, or the steps of
 * pools that round it up. Undefined where the contract would revert.
 */
export function stableInvariant(
  scaled: readonly bigint[],
  amplification: bigint,
  roundsUp = false,
): bigint | undefined {
  return roundsUp
    ? invariantRoundedUp(scaled, amplification)
    : invariantOf(scaled, amplification, { aPrecision: A_PRECISION, generation: "old" });
}

/** Invariant as StableMath.sol computed it up to the first phantom pools, with `roundUp`. */
function invariantRoundedUp(scaled: readonly bigint[], amplification: bigint): bigint | undefined {
  const count = BigInt(scaled.length);
  const sum = scaled.reduce((a, b) => a + b, 0n);
  const ann = amplification * count;
  let d = sum;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    let product = 0n;
    for (const [i, balance] of scaled.entries()) {
      const above = i === 0 ? balance * count : product * balance * count;
      if (above > MAX_UINT256) return undefined;
      product = i === 0 ? above : divRoundingUp(above, d);
    }
    const before = d;
    const above = count * d * d + divRoundingUp(ann * sum * product, A_PRECISION);
    const below = (count + 1n) * d + ((ann - A_PRECISION) * product) / A_PRECISION;
    if (above > MAX_UINT256 || ann * sum * product > MAX_UINT256) return undefined;
    d = divRoundingUp(above, below);
    if (d > before ? d - before <= 1n : before - d <= 1n) return d;
  }
  return undefined;
}

/**
 * Balance of token `index` for which the invariant is `d`, rounded up
 * (_getTokenBalanceGivenInvariantAndAllOtherBalances). The entry of `index` in `scaled` affects only the roundings.
 * Undefined where the contract would revert.
 */
export function stableBalance(
  scaled: readonly bigint[],
  index: number,
  d: bigint,
  amplification: bigint,
  generation: "v2" | "v3" = "v2",
): bigint | undefined {
  const count = BigInt(scaled.length);
  const own = scaled[index] as bigint;
  const ann = amplification * count;
  let product = 0n;
  let sum = -own;
  for (const [i, balance] of scaled.entries()) {
    product = i === 0 ? balance * count : (product * balance * count) / d;
    sum += balance;
    if (product > MAX_UINT256) return undefined;
  }
  if (product === 0n) return undefined;
  const squared = d * d;
  // Balancer V3 multiplies by the unit of amplification first and loses less.
  const early = generation === "v3" ? A_PRECISION : 1n;
  const late = A_PRECISION / early;
  const c = divRoundingUp(squared * early, ann * product) * late * own;
  const b = sum + ((d * early) / ann) * late;
  if (squared + c > MAX_UINT256) return undefined;
  let y = divRoundingUp(squared + c, d + b);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = y;
    const below = 2n * y + b - d;
    if (below <= 0n || y * y + c > MAX_UINT256) return undefined;
    y = divRoundingUp(y * y + c, below);
    if (y > before ? y - before <= 1n : before - y <= 1n) return y;
  }
  return undefined;
}
