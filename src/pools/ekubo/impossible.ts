import { unless } from "../curve/faults.ts";
import { isConsistent } from "./changes.ts";
import type { EkuboState } from "./state.ts";

/** Why no pool can be in such a state; undefined where one can. */
export function impossibleEkubo(state: EkuboState): string | undefined {
  return unless(isConsistent(state), "price, ticks, liquidity and config do not belong together");
}
