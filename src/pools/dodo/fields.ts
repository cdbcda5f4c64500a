import { amount, oneOf, type StateFields, twoAmounts } from "../curve/state-field.ts";
import type { DodoState } from "./state.ts";

export const dodoFields = {
  kind: oneOf("kind of a pool", ["DVM", "targets"]),
  i: amount,
  k: amount,
  reserves: twoAmounts,
  targets: twoAmounts,
  r: oneOf("side of targets", ["ONE", "ABOVE_ONE", "BELOW_ONE"]),
  lpFee: amount,
  maintainerFee: amount,
} satisfies StateFields<DodoState>;
