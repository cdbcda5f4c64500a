/** Gas of one exchange: approval, both transfers, and Newton's method twice; test/promise/gas-of-touches.test.ts. */
const BASE = 102_500n;
/** Each token beyond two: another balance in every round. */
const PER_TOKEN = 6_000n;

export function stableswapGas(tokens: number): bigint {
  return BASE + PER_TOKEN * BigInt(tokens - 2);
}

/**
 * Gas of one coin for shares or back: three invariants, or one and two balances, and the share's own slots; measured
 * (test/settlement/curve-and-vault.test.ts).
 */
const SHARE_BASE = { add: 118_000n, remove: 88_000n };
const SHARE_PER_TOKEN = { add: 13_000n, remove: 9_000n };

export function stableswapShareGas(tokens: number, kind: "add" | "remove"): bigint {
  return SHARE_BASE[kind] + SHARE_PER_TOKEN[kind] * BigInt(tokens - 2);
}
