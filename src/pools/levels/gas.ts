/** Gas of one maker's order inside a settlement transaction: signature, books and both transfers (test/makers/gas.test.ts). */
export const MAKER_ORDER_GAS = 95_000n;
