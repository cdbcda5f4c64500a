/** Gas of a transaction: what it is expected to use, and the limit to send it with. */
export interface GasEstimate {
  readonly expected: bigint;
  readonly limit: bigint;
}

/** The model's gas with the limit of the node's own estimate in place of the model's, where there is one. */
export function estimatedGas(limit: bigint | undefined, { expected, limit: most }: GasEstimate): GasEstimate {
  if (limit === undefined) return { expected, limit: most };
  return { expected: expected < limit ? expected : limit, limit };
}

/** An estimate as far as the chain lets a transaction have that. */
export function atMost(mostGas: bigint, { expected, limit }: GasEstimate): GasEstimate {
  return { expected: expected < mostGas ? expected : mostGas, limit: limit < mostGas ? limit : mostGas };
}
