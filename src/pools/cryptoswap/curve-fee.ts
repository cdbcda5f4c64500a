import type { Exchange } from "./exchange-curve.ts";
import type { CryptoswapState } from "./state.ts";

/** Part of the payment that the fee keeps, and its derivative by the amount in. */
interface FeeThere {
  readonly part: number;
  readonly growth: number;
}

/** The fee in floats, which depends on the distance from balance. `third`: the balance that no exchange moves, or 0. */
export function curveFee(
  { midFee, outFee, feeGamma }: Pick<CryptoswapState, "midFee" | "outFee" | "feeGamma">,
  n: number,
  third: number,
): (exchange: Exchange) => FeeThere {
  const [mid, out, bend] = [Number(midFee) / 1e10, Number(outFee) / 1e10, Number(feeGamma) / 1e18];
  return ({ x, y, rate }) => {
    const sum = x + y + third;
    const off = imbalance(x, y, third, n);
    const balanceGrowth = (1 - off) * (1 / x - rate / y - (n * (1 - rate)) / sum);
    if (n === 3 && bend === 0) return { part: mid * (1 - off) + out * off, growth: (mid - out) * balanceGrowth };
    const low = bend / (bend + off);
    return {
      part: mid * low + out * (1 - low),
      growth: ((mid - out) * bend * balanceGrowth) / (bend + off) ** 2,
    };
  };
}

/** One less N^N times the product over the sum to the N-th, without the loss of digits near balance. */
function imbalance(x: number, y: number, z: number, n: number): number {
  if (n === 2) return ((x - y) / (x + y)) ** 2;
  const mean = (x + y + z) / 3;
  const [a, b, c] = [x / mean - 1, y / mean - 1, z / mean - 1];
  // (1 + a)(1 + b)(1 + c) with a + b + c = 0.
  return -(a * b + b * c + c * a + a * b * c);
}
