/** Gas of one exchange: approval, both transfers, and Newton's method twice; measured (test/pools/gas.test.ts). */
const BASE = 150_000n;
/** Each token beyond two: another balance in every round. */
const PER_TOKEN = 18_000n;

export function stableswapGas(tokens: number): bigint {
  return BASE + PER_TOKEN * BigInt(tokens - 2);
}
