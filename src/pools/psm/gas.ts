/** Gas of `buyGem` with its approval, the dearer of both ways: a vault's deposit and a transfer more. */
export const PSM_GAS = 75_000n;
