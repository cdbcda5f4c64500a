/** Gas of one swap, both transfers and that of the fee included; measured on the test contract (test/pools/gas.test.ts). */
export const VOLATILE_GAS = 125_000n;
/** The same where the curve has to be solved: Newton's method runs on chain. */
export const STABLE_GAS = 145_000n;
