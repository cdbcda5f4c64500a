import type { Direction } from "../pool-math.ts";

/** Gas of a deposit, with its approval, and of a redemption; test/promise/gas-of-pool-uses.test.ts. */
const DEPOSIT_GAS = 41_500n;
const REDEEM_GAS = 37_000n;
/** An exact output is asked for twice: what it costs, then the trade. */
const ASKED_FIRST = 4_500n;

export function vaultGas({ sell }: Direction, exactOut: boolean): bigint {
  return (sell === 0 ? DEPOSIT_GAS : REDEEM_GAS) + (exactOut ? ASKED_FIRST : 0n);
}
