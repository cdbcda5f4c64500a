/** Gas of a transaction: what it is expected to use, and the limit to send it with. */
export interface GasEstimate {
  readonly expected: bigint;
  readonly limit: bigint;
}

/**
 * An estimate of the measured model. Its limit is 1.15 / 0.8 of it: the model is within 15 % of what is used, and refunds,
 * which come after the fact, are up to a fifth of what is needed before. `heldBack`: what it has to have and does not use.
 */
export function modelledGas(expected: bigint, heldBack = 0n): GasEstimate {
  return { expected, limit: ((expected + heldBack) * 36n + 24n) / 25n };
}
