/**
 * Gas of one maker's order inside a settlement transaction, with a nonce in a word that none was used of before, else
 * 17,100 less; measured (test/makers/gas.test.ts).
 */
const MAKER_ORDER_GAS = 78_000n;

/**
 * Gas of one order that a maker's own contract settles: an approval and four transfers around it; measured with doubles
 * of such contracts (test/settlement/rfq-orders.test.ts).
 */
export const RFQ_ORDER_GAS = 150_000n;

/** Gas of one order by who settles it. */
export function gasOf(settles: "elsewhere" | undefined): bigint {
  return settles === undefined ? MAKER_ORDER_GAS : RFQ_ORDER_GAS;
}
