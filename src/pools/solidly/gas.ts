/** Gas of one swap, both transfers and that of the fee included; measured on the test contract (test/settlement/solidly.test.ts). */
export const VOLATILE_GAS = 97_500n;
/** The same where the curve has to be solved: Newton's method runs on chain. */
export const STABLE_GAS = 108_000n;
