import { faultOfBalancer } from "../curve/faults.ts";
import type { WeightedState } from "./state.ts";

/** Why no contract can be in such a state; undefined where one can. */
export function impossibleWeighted({ weights, scales, swapFee }: WeightedState): string | undefined {
  return faultOfBalancer({ weights, scales, swapFee });
}
