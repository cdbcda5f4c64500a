/** Gas of one swap through the vault, both transfers included; measured in the devnet. */
const BASE = { weighted: 143_000n, stable: 163_000n } as const;
/** Each token beyond two: another balance and rate. */
const PER_TOKEN = 9_000n;

export function balancerV3Gas(kind: keyof typeof BASE, tokens: number): bigint {
  return BASE[kind] + PER_TOKEN * BigInt(tokens - 2);
}
