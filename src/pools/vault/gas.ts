import type { Direction } from "../pool-math.ts";

/** Gas of a deposit, with its approval, and of a redemption; test/promise/gas-of-touches.test.ts. */
const DEPOSIT_GAS = 38_500n;
const REDEEM_GAS = 34_000n;

export function vaultGas({ sell }: Direction): bigint {
  return sell === 0 ? DEPOSIT_GAS : REDEEM_GAS;
}
