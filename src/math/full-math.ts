/** 2^96: the unit of prices in Q64.96. */
export const Q96 = 1n << 96n;
export const MAX_UINT112 = (1n << 112n) - 1n;
export const MAX_UINT128 = (1n << 128n) - 1n;
export const MAX_UINT256 = (1n << 256n) - 1n;

/** ceil(a / b) for a ≥ 0, b > 0. */
export function divRoundingUp(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b;
}

/** ceil(a × b / d) at full width, for a, b ≥ 0, d > 0. */
export function mulDivRoundingUp(a: bigint, b: bigint, d: bigint): bigint {
  return (a * b + d - 1n) / d;
}

export function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

export function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

export function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** Order of two numbers, for sorting. */
export function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
