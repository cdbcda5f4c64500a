import { divRoundingUp } from "./full-math.ts";

/**
 * Unsigned numbers with 18 decimals as Balancer's contracts multiply and divide them (FixedPoint.sol). Nothing here looks
 * for overflow: whoever calls keeps to sizes that the contracts can count.
 */

export const ONE = 10n ** 18n;

export function mulDown(a: bigint, b: bigint): bigint {
  return (a * b) / ONE;
}

export function mulUp(a: bigint, b: bigint): bigint {
  return divRoundingUp(a * b, ONE);
}

export function divDown(a: bigint, b: bigint): bigint {
  return (a * ONE) / b;
}

export function divUp(a: bigint, b: bigint): bigint {
  return divRoundingUp(a * ONE, b);
}

/** 1 - x, and zero where x is more than one. */
export function complement(x: bigint): bigint {
  return x < ONE ? ONE - x : 0n;
}
