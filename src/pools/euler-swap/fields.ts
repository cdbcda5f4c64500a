import { oneOf, type StateFields, twoAmounts } from "../curve/state-field.ts";
import type { EulerSwapState } from "./state.ts";

export const eulerSwapFields = {
  version: oneOf("version of EulerSwap", ["v1", "v2"]),
  reserves: twoAmounts,
  equilibrium: twoAmounts,
  prices: twoAmounts,
  concentrations: twoAmounts,
  fees: twoAmounts,
  maxIn: twoAmounts,
  maxOut: twoAmounts,
} satisfies StateFields<EulerSwapState>;
