/** Gas of one swap through the vault, approval and both transfers included; test/promise/gas-of-pool-uses.test.ts. */
const BASE = 134_000n;
/** Each token beyond two: another balance to read, and in every round. */
const PER_TOKEN = 12_000n;
/** Gas for buying or selling the share: fees of the protocol are settled before and after. */
const OF_SHARE = 41_000n;
/** An exact output is asked for twice: what it costs, then the swap. */
const ASKED_FIRST = 105_500n;
const ASKED_FIRST_OF_SHARE = 146_000n;

/** MetaStable pools keep a price oracle as well, in the first swap of a block; nearly all have it switched on. */
const OF_ORACLE = 30_000n;

export function composableStableGas(tokens: number, withShare: boolean, exactOut: boolean, withOracle = false): bigint {
  const asked = exactOut ? (withShare ? ASKED_FIRST_OF_SHARE : ASKED_FIRST) : 0n;
  const oracle = withOracle ? OF_ORACLE * (exactOut ? 2n : 1n) : 0n;
  return BASE + PER_TOKEN * BigInt(tokens - 2) + (withShare ? OF_SHARE : 0n) + asked + oracle;
}
