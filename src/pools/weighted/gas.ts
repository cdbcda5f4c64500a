/** Gas of one swap through the vault, approval and both transfers included; test/promise/gas-of-pool-uses.test.ts. */
export const WEIGHTED_GAS = 88_000n;
/** An exact output is asked for twice: what it costs, then the swap. */
export const WEIGHTED_EXACT_OUT_GAS = 132_500n;
/**
 * Two notes of a price oracle, as for an exact output. Pools of two tokens of the first version may keep one, which notes a
 * price in the first swap of a block; few do.
 */
export const MAX_ORACLE_GAS = 66_000n;
