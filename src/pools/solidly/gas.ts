/** Gas of one swap, both transfers and that of the fee included; test/promise/gas-of-touches.test.ts. */
export const VOLATILE_GAS = 91_000n;
/** The same where the curve has to be solved: Newton's method runs on chain. */
export const STABLE_GAS = 101_000n;
