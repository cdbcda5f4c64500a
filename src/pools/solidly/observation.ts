import type { SolidlyState } from "./state.ts";

/** More seconds than that, and the next change of the reserves writes the price down again (Pool.sol, periodSize). */
const PERIOD = 1_800n;

/** Whether a swap at a time, unix seconds, writes down the price. */
export function writesObservation({ lastObservation }: Pick<SolidlyState, "lastObservation">, time: bigint): boolean {
  return lastObservation !== undefined && time - lastObservation > PERIOD;
}

/** A state whose reserves change at a time, with what the pool then knows of its last observation (Pool.sol, _update). */
export function observedAt(state: SolidlyState, time: bigint): SolidlyState {
  return writesObservation(state, time) ? { ...state, lastObservation: time } : state;
}
