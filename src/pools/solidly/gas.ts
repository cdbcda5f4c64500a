import { writesObservation } from "./observation.ts";
import type { SolidlyState } from "./state.ts";

/**
 * Gas of one swap, both transfers and that of the fee included, about as Velodrome V2's own pools use it
 * (docs/gas.md); the devnet's: test/promise/gas-of-pool-uses.test.ts.
 */
const VOLATILE = 112_000n;
/** Gas of a stable pool, which solves its curve on chain by Newton's method. */
const STABLE = 125_000n;
/** The price written down: three slots that were zero, and how many there are. */
const OBSERVATION = 70_000n;
/** Part of that for the fee's transfer and sum, which a pool without a fee does not make. */
const FEE = 20_000n;

/** Gas of a swap at a time, unix seconds. */
export function solidlyGas(state: SolidlyState, time: bigint): bigint {
  const swap = state.stable ? STABLE : VOLATILE;
  return swap + (writesObservation(state, time) ? OBSERVATION : 0n) - (state.feeBps === 0n ? FEE : 0n);
}

/** The most that a first swap takes more: sums of reserves and of fees, what the fees' contract holds, and the lock. */
const FIRST_USE = 77_000n;

/** The most that a swap needs where nothing of the pool was ever written, whenever it is mined. */
export function mostSolidlyGas({ stable }: Pick<SolidlyState, "stable">): bigint {
  return (stable ? STABLE : VOLATILE) + OBSERVATION + FIRST_USE;
}

/** Further gas of a swap mined as late as `until`: the price may have to be written down by then. */
export function solidlyGasComingDue(state: SolidlyState, time: bigint, until: bigint): bigint {
  return !writesObservation(state, time) && writesObservation(state, until) ? OBSERVATION : 0n;
}
