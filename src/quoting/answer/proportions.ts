import { FRACTION_ONE } from "./types.ts";

/**
 * `total` dealt out in proportion to `weights` in whole units, by largest remainder: the parts sum to exactly `total`.
 * Equal remainders go to the earlier weight. All weights zero: all parts zero.
 */
export function apportion(total: bigint, weights: readonly bigint[]): bigint[] {
  const sum = weights.reduce((a, b) => a + b, 0n);
  if (sum === 0n) return weights.map(() => 0n);
  const parts = weights.map((weight) => (total * weight) / sum);
  const remainders = weights.map((weight, i) => ({ i, remainder: (total * weight) % sum }));
  remainders.sort((a, b) => (a.remainder === b.remainder ? a.i - b.i : a.remainder > b.remainder ? -1 : 1));
  let left = total - parts.reduce((a, b) => a + b, 0n);
  for (const { i } of remainders) {
    if (left === 0n) break;
    parts[i] = (parts[i] as bigint) + 1n;
    left -= 1n;
  }
  return parts;
}

/** Shares of one, scaled by FRACTION_ONE: they sum to exactly that. */
export function proportionsOf(weights: readonly bigint[]): bigint[] {
  return apportion(FRACTION_ONE, weights);
}
