/** Gas of one swap of a pair, the transfer into it and the transfer out of it included. */
export const CONSTANT_PRODUCT_GAS = 60_000n;
