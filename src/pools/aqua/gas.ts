import type { Program } from "./program.ts";

/** Gas of a swap by a constant product, with the transfers to and from the maker; test/settlement/aqua/aqua.test.ts. */
const PRODUCT = 160_000n;
/** Gas that a price range takes more. */
const RANGE = 6_000n;
/** Gas that the curve for pegged tokens takes more. */
const PEGGED = 9_000n;
/** Gas of a fee that stays. */
const FLAT_FEE = 1_000n;
/** Gas of a protocol's fee, which is paid by a transfer of its own. */
const PROTOCOL_FEE = 33_000n;

/** Gas of one swap by a program. */
export function aquaGas({ fees, range, pegged }: Program): bigint {
  const ofFees = fees.reduce((sum, { to }) => sum + (to === undefined ? FLAT_FEE : PROTOCOL_FEE), 0n);
  return PRODUCT + (range === undefined ? 0n : RANGE) + (pegged === undefined ? 0n : PEGGED) + ofFees;
}
