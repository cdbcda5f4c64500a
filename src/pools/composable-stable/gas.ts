/** Gas of one swap through the vault, both transfers included; measured (test/settlement/balancer-v2.test.ts). */
const BASE = 135_000n;
/** Each token beyond two: another balance to read, and in every round. */
const PER_TOKEN = 12_000n;
/** Where the share is bought or sold: fees of the protocol are settled before and after. */
const OF_SHARE = 60_000n;

export function composableStableGas(tokens: number, withShare: boolean): bigint {
  return BASE + PER_TOKEN * BigInt(tokens - 2) + (withShare ? OF_SHARE : 0n);
}
