import { faultOfBalancer } from "../curve/faults.ts";
import type { ComposableStableState } from "./state.ts";

/** Why no contract can be in such a state; undefined where one can. */
export function impossibleComposableStable({ scales, swapFee }: ComposableStableState): string | undefined {
  return faultOfBalancer({ scales, swapFee });
}
