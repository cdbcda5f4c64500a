import { unless } from "../curve/faults.ts";
import { isConsistent } from "./changes.ts";
import { isPayable } from "./hook-fee.ts";
import type { ConcentratedState } from "./state.ts";

/** Why no contract can be in such a state; undefined where one can. */
export function impossibleConcentrated(state: ConcentratedState): string | undefined {
  return (
    unless(isConsistent(state), "price, ticks, liquidity and fee do not belong together") ??
    unless(state.hook === undefined || isPayable(state.hook), "its hooks take all of a swap")
  );
}
