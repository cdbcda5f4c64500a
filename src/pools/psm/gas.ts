/** Gas of `sellGem` or `buyGem` with its approval, as the executor uses them; test/settlement/drawn.test.ts. */
export const PSM_GAS = 62_500n;
