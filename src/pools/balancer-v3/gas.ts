/** Gas of one swap through the vault, lock and both transfers included; test/promise/gas-of-pool-uses.test.ts. */
const BASE = { weighted: 124_500n, stable: 145_000n } as const;
/** Each token beyond two: another balance and rate. */
const PER_TOKEN = 9_000n;

export function balancerV3Gas(kind: keyof typeof BASE, tokens: number): bigint {
  return BASE[kind] + PER_TOKEN * BigInt(tokens - 2);
}
