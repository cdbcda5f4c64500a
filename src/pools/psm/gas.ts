/** Gas of `sellGem` or `buyGem` with its approval, as the executor uses them; test/promise/gas-of-pool-uses.test.ts. */
export const PSM_GAS = 47_000n;
