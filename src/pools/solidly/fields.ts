import { amount, flag, maybeAmount, type StateFields, twoAmounts } from "../curve/state-field.ts";
import type { SolidlyState } from "./state.ts";

export const solidlyFields = {
  stable: flag,
  reserves: twoAmounts,
  units: twoAmounts,
  feeBps: amount,
  paused: flag,
  lastObservation: maybeAmount,
} satisfies StateFields<SolidlyState>;
