import { unless } from "../faults.ts";
import { isConsistent } from "./changes.ts";
import type { ConcentratedState } from "./state.ts";

/** As `impossible` of a curve. */
export function impossibleConcentrated(state: ConcentratedState): string | undefined {
  return unless(isConsistent(state), "price, ticks, liquidity and fee do not belong together");
}
