import type { Direction } from "../pool-math.ts";

/** Gas of `wrap`, with its approval, and of `unwrap`; test/promise/gas-of-pool-uses.test.ts. */
const WRAP_GAS = 50_000n;
const UNWRAP_GAS = 43_000n;

export function rateTokenGas({ sell }: Direction): bigint {
  return sell === 0 ? WRAP_GAS : UNWRAP_GAS;
}
