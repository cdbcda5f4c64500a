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
