import type { ConcentratedState, FallingFee } from "./state.ts";

/**
 * The fee at a time, in parts of its whole; unix seconds. It falls by floor(range * elapsed / seconds): _computeCurrentFee of
 * RehypeDopplerHookInitializer.sol.
 */
export function currentFee({ startFee, endFee, startTime, seconds }: FallingFee, time: bigint): number {
  const elapsed = Number(time) - startTime;
  if (seconds === 0 || elapsed <= 0) return startFee;
  return elapsed >= seconds ? endFee : startFee - Math.floor(((startFee - endFee) * elapsed) / seconds);
}

/** Whether time alone changes the fee. */
export function falls({ startFee, endFee, seconds }: FallingFee): boolean {
  return seconds !== 0 && startFee !== endFee;
}

/** The fee as it stays at `time` if it falls no more from then on; the same object before. */
export function settled(fee: FallingFee, time: bigint): FallingFee {
  if (falls(fee) && Number(time) - fee.startTime < fee.seconds) return fee;
  return isStill(fee) ? fee : still(fee, time);
}

/** The state with a fee that stays as it is at `time`. */
export function stateAt(state: ConcentratedState, time: bigint): ConcentratedState {
  const { hook } = state;
  if (hook?.falling === undefined || isStill(hook.falling)) return state;
  return { ...state, hook: { ...hook, falling: still(hook.falling, time) } };
}

/** Whether such a fee can be, and leaves something of a swap once it has fallen. */
export function leavesSomething({ whole, startFee, endFee, startTime, seconds }: FallingFee): boolean {
  const isCounted = [whole, startFee, endFee, startTime, seconds].every(
    (value) => Number.isInteger(value) && value >= 0,
  );
  return isCounted && endFee <= startFee && startFee <= whole && (seconds === 0 ? startFee : endFee) < whole;
}

function isStill({ seconds }: FallingFee): boolean {
  return seconds === 0;
}

function still(fee: FallingFee, time: bigint): FallingFee {
  const now = currentFee(fee, time);
  return { whole: fee.whole, startFee: now, endFee: now, startTime: 0, seconds: 0 };
}
