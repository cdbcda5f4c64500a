/** Gas of a transaction: what it is expected to use, and the limit to send it with. */
export interface GasEstimate {
  readonly expected: bigint;
  readonly limit: bigint;
}

/**
 * An estimate of the measured model. The limit leaves a quarter of room: the model is within 15 % of what is used, and
 * refunds, which come after the fact, are at most a fifth of it.
 */
export function modelledGas(expected: bigint): GasEstimate {
  return { expected, limit: (expected * 5n + 3n) / 4n };
}
