import type { Ratio } from "../../domain/ratio.ts";
import type { Direction } from "../pool-math.ts";
import { feeOf } from "./fee.ts";
import type { CryptoswapAt } from "./state-at.ts";
import { A_MULTIPLIER, FEE_ONE, ONE } from "./terms.ts";

/** 36 decimals: near balance what counts is a difference of near numbers. */
const FINE = ONE * ONE;

/**
 * Bought per sold base unit for a trade of no size. With K0 = N^N times the product of the balances over D^N the invariant
 * gives each balance x the weight (G + A gamma² K0 x / D) / x, G = 2 K0³ - (2 gamma + 3) K0² + (1 + gamma)² (the contracts'
 * get_p).
 */
export function spotOf(
  { state, scaled, scales, amplification: { ann, gamma }, d }: CryptoswapAt,
  { sell, buy }: Direction,
): Ratio {
  const count = BigInt(scaled.length);
  const k = scaled.reduce((product, x) => product * x * count, FINE) / d ** count;
  const g = (2n * k ** 3n) / FINE ** 2n - ((2n * gamma + 3n * ONE) * k * k) / (FINE * ONE) + (ONE + gamma) ** 2n;
  const strength = ((ann * gamma * gamma) / A_MULTIPLIER) * k;
  const weight = (x: bigint) => g + (strength * x) / (d * FINE);
  const [x, y] = [scaled[sell] as bigint, scaled[buy] as bigint];
  return {
    num: weight(x) * y * (FEE_ONE - feeOf(state, scaled)) * (scales[sell] as bigint),
    den: weight(y) * x * FEE_ONE * (scales[buy] as bigint),
  };
}
