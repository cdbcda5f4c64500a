import { unless } from "../faults.ts";
import type { BalancerV3BufferState } from "./state.ts";

/** As `impossible` of a curve. */
export function impossibleBalancerV3Buffer({ virtualShares }: BalancerV3BufferState): string | undefined {
  return unless(virtualShares > 0n, "virtualShares: none");
}
