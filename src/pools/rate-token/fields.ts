import { amount, maybeTrue, type StateFields } from "../curve/state-field.ts";
import type { RateTokenState } from "./state.ts";

export const rateTokenFields = {
  pooled: amount,
  shares: amount,
  supply: amount,
  held: amount,
  keepsShares: maybeTrue,
} satisfies StateFields<RateTokenState>;
