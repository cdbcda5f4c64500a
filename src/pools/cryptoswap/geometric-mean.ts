import { squareRoot } from "../../math/square-root.ts";
import { cubeRoot } from "./cube-root.ts";
import type { TricryptoGeneration } from "./state.ts";
import { ONE } from "./terms.ts";

const MAX_ROUNDS = 255;

/** The geometric mean of two or three numbers of 18 decimals, as the contracts of a generation find it. */
export function geometricMean(values: readonly bigint[], generation: TricryptoGeneration | undefined): bigint {
  if (generation !== undefined) return meanByRounds(values);
  const [x, y, z] = values as readonly [bigint, bigint, bigint?];
  return z === undefined ? squareRoot(x * y) : cubeRoot((((x * y) / ONE) * z) / ONE);
}

/** Newton's method from the largest number on (_geometric_mean of CurveCryptoMath3.vy); zero where it does not converge. */
function meanByRounds(values: readonly bigint[]): bigint {
  const sorted = [...values].sort((a, b) => (a > b ? -1 : a < b ? 1 : 0));
  const count = BigInt(sorted.length);
  let mean = sorted[0] as bigint;
  for (let round = 0; round < MAX_ROUNDS && mean > 0n; round++) {
    const before = mean;
    const part = sorted.reduce((product, x) => (product * x) / before, ONE);
    mean = (mean * ((count - 1n) * ONE + part)) / (count * ONE);
    const moved = mean > before ? mean - before : before - mean;
    if (moved <= 1n || moved * ONE < mean) return mean;
  }
  return 0n;
}
