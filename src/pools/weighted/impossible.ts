import { faultOfBalancer } from "../faults.ts";
import type { WeightedState } from "./state.ts";

/** As `impossible` of a curve. */
export function impossibleWeighted({ weights, scales, swapFee }: WeightedState): string | undefined {
  return faultOfBalancer({ weights, scales, swapFee });
}
