/** Gas of a deposit with its approval, the dearest of the four; measured (test/settlement/curve-and-vault.test.ts). */
export const VAULT_GAS = 58_000n;
