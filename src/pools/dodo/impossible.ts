import { unless } from "../curve/faults.ts";
import { ONE } from "./pmm.ts";
import type { DodoState } from "./state.ts";

const MAX_RESERVE = (1n << 112n) - 1n;
/** The contracts' own limit of `i`. */
const MAX_PRICE = ONE * ONE;

/** Why no pool can be in such a state; undefined where one can. */
export function impossibleDodo({ i, k, reserves, lpFee, maintainerFee, kind, r }: DodoState): string | undefined {
  if (i === 0n || i > MAX_PRICE || k > ONE) return "i, k: a price or slope that no pool is made with";
  if (lpFee + maintainerFee > ONE) return "lpFee, maintainerFee: more than what is bought";
  if (kind === "DVM" && r !== "ABOVE_ONE") return "r: not that of a vending machine";
  return unless(
    reserves.every((reserve) => reserve <= MAX_RESERVE),
    "reserves of more than 112 bits",
  );
}
