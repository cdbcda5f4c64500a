import { amount, amountsPerToken, flag, maybeTrue, type StateFields } from "../curve/state-field.ts";
import type { WeightedState } from "./state.ts";

export const weightedFields = {
  balances: amountsPerToken,
  weights: amountsPerToken,
  scales: amountsPerToken,
  swapFee: amount,
  paused: flag,
  firstVersion: maybeTrue,
} satisfies StateFields<WeightedState>;
