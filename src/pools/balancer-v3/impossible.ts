import { faultOfBalancer } from "../curve/faults.ts";
import type { BalancerV3State } from "./state.ts";

/** Why no contract can be in such a state; undefined where one can. */
export function impossibleBalancerV3({ kind, weights, scales, swapFee }: BalancerV3State): string | undefined {
  return faultOfBalancer(kind === "weighted" ? { weights, scales, swapFee } : { scales, swapFee });
}
