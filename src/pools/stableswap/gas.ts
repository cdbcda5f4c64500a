/** Gas of one exchange: approval, both transfers, and Newton's method twice; measured (test/settlement/curve-and-vault.test.ts). */
const BASE = 120_000n;
/** Each token beyond two: another balance in every round. */
const PER_TOKEN = 6_000n;

export function stableswapGas(tokens: number): bigint {
  return BASE + PER_TOKEN * BigInt(tokens - 2);
}
