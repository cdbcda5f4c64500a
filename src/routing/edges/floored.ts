/** Amounts from which on floats have no parts of a base unit. */
const WHOLE = 2 ** 53;

/** The whole base units of an amount. */
export function floored(amount: number): number {
  return amount < WHOLE ? Math.floor(amount) : amount;
}
