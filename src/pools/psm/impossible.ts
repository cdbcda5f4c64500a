import { unless } from "../curve/faults.ts";
import type { PsmState } from "./state.ts";

/** Why no contract can be in such a state; undefined where one can. */
export function impossiblePsm({ to18 }: PsmState): string | undefined {
  return unless(to18 > 0n, "to18: zero");
}
