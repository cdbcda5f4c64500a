import { amount, amountsPerToken, flag, type StateFields } from "../state-field.ts";
import type { WeightedState } from "./state.ts";

export const weightedFields = {
  balances: amountsPerToken,
  weights: amountsPerToken,
  scales: amountsPerToken,
  swapFee: amount,
  paused: flag,
} satisfies StateFields<WeightedState>;
