import { MAX_UINT128 } from "../../math/full-math.ts";
import { unless } from "../curve/faults.ts";
import { programOf } from "./program.ts";
import type { AquaState } from "./state.ts";

/** Why no strategy that is served can be in such a state; undefined where one can. */
export function impossibleAqua({ program, balances }: AquaState): string | undefined {
  if (programOf(program) === undefined) return "program: one that is not modelled";
  return unless(
    balances.every((balance) => balance <= MAX_UINT128),
    "balances of more than 128 bits",
  );
}
