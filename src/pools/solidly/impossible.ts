import { areAbove, unless } from "../curve/faults.ts";
import type { SolidlyState } from "./state.ts";

/** Parts of a fee. */
const BPS = 10_000n;

/** Why no contract can be in such a state; undefined where one can. */
export function impossibleSolidly({ units, feeBps }: SolidlyState): string | undefined {
  return unless(areAbove(0n, units) && feeBps < BPS, "units or feeBps of no pool");
}
