/** Gas of one swap of a pair, the transfer into it and the one out of it included; test/promise/gas-of-pool-uses.test.ts. */
export const CONSTANT_PRODUCT_GAS = 57_500n;
/** Gas of a pair of a token that keeps a part of each transfer: it writes one more balance. */
export const TAXED_GAS = 66_000n;
