import type { CryptoswapState } from "./state.ts";
import { ONE } from "./terms.ts";

/**
 * The fee of an exchange that leaves these scaled balances, in parts of 10^10: the low one in balance, the high one far
 * from it (_fee; reduction_coefficient of the maths for three tokens).
 */
export function feeOf({ midFee, outFee, feeGamma }: CryptoswapState, scaled: readonly bigint[]): bigint {
  const sum = scaled.reduce((a, b) => a + b, 0n);
  const [x, y, z] = scaled as readonly [bigint, bigint, bigint?];
  const balance =
    z === undefined ? (((4n * ONE * x) / sum) * y) / sum : (((((ONE * 3n * x) / sum) * 3n * y) / sum) * 3n * z) / sum;
  const low = z !== undefined && feeGamma === 0n ? balance : (feeGamma * ONE) / (feeGamma + ONE - balance);
  return (midFee * low + outFee * (ONE - low)) / ONE;
}
