/** Gas of one swap of a pair, the transfer into it and the one out of it included; measured (test/pools/gas.test.ts). */
export const CONSTANT_PRODUCT_GAS = 62_000n;
