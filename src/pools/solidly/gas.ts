/**
 * Gas of one swap, both transfers and that of the fee included, about as Velodrome V2's own pools use it
 * (docs/settlement.md); the devnet's: test/promise/gas-of-touches.test.ts.
 */
export const VOLATILE_GAS = 112_000n;
/** The same where the curve has to be solved: Newton's method runs on chain. */
export const STABLE_GAS = 125_000n;
