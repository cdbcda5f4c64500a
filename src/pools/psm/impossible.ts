import { unless } from "../faults.ts";
import type { PsmState } from "./state.ts";

/** As `impossible` of a curve. */
export function impossiblePsm({ to18 }: PsmState): string | undefined {
  return unless(to18 > 0n, "to18: zero");
}
