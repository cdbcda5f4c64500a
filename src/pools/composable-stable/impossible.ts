import { faultOfBalancer } from "../faults.ts";
import type { ComposableStableState } from "./state.ts";

/** As `impossible` of a curve. */
export function impossibleComposableStable({ scales, swapFee }: ComposableStableState): string | undefined {
  return faultOfBalancer({ scales, swapFee });
}
