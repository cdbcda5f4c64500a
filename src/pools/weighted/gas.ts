/** Gas of one swap through the vault, both transfers included; measured in the devnet. */
export const WEIGHTED_GAS = 98_000n;
/** An exact output is asked for twice: what it costs, then the swap. */
export const WEIGHTED_EXACT_OUT_GAS = 134_000n;
