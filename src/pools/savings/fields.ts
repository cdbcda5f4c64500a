import { amount, type StateFields } from "../curve/state-field.ts";
import type { SavingsState } from "./state.ts";

export const savingsFields = {
  rate: amount,
  growth: amount,
  updatedAt: amount,
  totalSupply: amount,
} satisfies StateFields<SavingsState>;
