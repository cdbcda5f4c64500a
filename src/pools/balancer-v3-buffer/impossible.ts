import { unless } from "../curve/faults.ts";
import type { BalancerV3BufferState } from "./state.ts";

/** Why no contract can be in such a state; undefined where one can. */
export function impossibleBalancerV3Buffer({ virtualShares }: BalancerV3BufferState): string | undefined {
  return unless(virtualShares > 0n, "virtualShares: none");
}
