import { amount, type StateFields, twoAmounts } from "../curve/state-field.ts";
import type { ConstantProductState } from "./state.ts";

export const constantProductFields = {
  reserves: twoAmounts,
  feeNum: amount,
  feeDen: amount,
} satisfies StateFields<ConstantProductState>;
