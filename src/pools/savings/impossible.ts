import { unless } from "../curve/faults.ts";
import type { SavingsState } from "./state.ts";

/** Why no contract can be in such a state; undefined where one can. */
export function impossibleSavings({ rate }: SavingsState): string | undefined {
  return unless(rate > 0n, "rate: none");
}
