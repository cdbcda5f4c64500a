import { writesObservation } from "./observation.ts";
import type { SolidlyState } from "./state.ts";

/**
 * Gas of one swap, both transfers and that of the fee included, about as Velodrome V2's own pools use it
 * (docs/gas.md); the devnet's: test/promise/gas-of-touches.test.ts.
 */
const VOLATILE = 112_000n;
/** The same where the curve has to be solved: Newton's method runs on chain. */
const STABLE = 125_000n;
/** The price written down: three slots that were zero, and how many there are. */
const OBSERVATION = 70_000n;
/** What the fee's transfer and sum are of that, which a pool without a fee does not make. */
const FEE = 20_000n;

/** Of a swap at a time, unix seconds. */
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

/** What a swap takes more if it is mined as late as `until`: the price may have to be written down by then. */
export function solidlyGasComingDue(state: SolidlyState, time: bigint, until: bigint): bigint {
  return !writesObservation(state, time) && writesObservation(state, until) ? OBSERVATION : 0n;
}
