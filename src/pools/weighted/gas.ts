/** Gas of one swap through the vault, both transfers included; measured (test/settlement/balancer-v2.test.ts). */
export const WEIGHTED_GAS = 95_000n;
