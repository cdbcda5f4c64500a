/** Gas of `sellGem` or `buyGem` with its approval, as the executor uses them; test/promise/gas-of-touches.test.ts. */
export const PSM_GAS = 47_000n;
