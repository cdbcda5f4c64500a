/** An exact non-negative fraction; `den` is above zero. Not necessarily in lowest terms. */
export interface Ratio {
  readonly num: bigint;
  readonly den: bigint;
}

export type Rounding = "up" | "down";

/** `num / den` for non-negative numbers, rounded as told. */
export function divide(num: bigint, den: bigint, rounding: Rounding): bigint {
  return rounding === "up" ? (num + den - 1n) / den : num / den;
}

/** About the same ratio of which one part has at most so many bits: floats have no room for more than 1,024. */
export function inFewBits({ num, den }: Ratio, bits: number): Ratio {
  const excess = Math.min(num.toString(2).length, den.toString(2).length) - bits;
  return excess > 0 ? { num: num >> BigInt(excess), den: den >> BigInt(excess) } : { num, den };
}
