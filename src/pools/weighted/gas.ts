/** Gas of one swap through the vault, approval and both transfers included; test/promise/gas-of-touches.test.ts. */
export const WEIGHTED_GAS = 82_000n;
/** An exact output is asked for twice: what it costs, then the swap. */
export const WEIGHTED_EXACT_OUT_GAS = 125_000n;
