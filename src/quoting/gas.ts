/** Gas of a transaction: what it is expected to use, and the limit to send it with. */
export interface GasEstimate {
  readonly expected: bigint;
  readonly limit: bigint;
}

/**
 * An estimate of the measured model. Its limit is 1.15 / 0.8 of it: the model is within 15 % of what is used, and refunds,
 * which come after the fact, are up to a fifth of what is needed before.
 */
export function modelledGas(expected: bigint): GasEstimate {
  return { expected, limit: (expected * 36n + 24n) / 25n };
}
