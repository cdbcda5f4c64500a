import { amount, maybeAmount, type StateFields } from "../curve/state-field.ts";
import type { PsmState } from "./state.ts";

export const psmFields = {
  dai: amount,
  gem: amount,
  tin: maybeAmount,
  tout: maybeAmount,
  to18: amount,
} satisfies StateFields<PsmState>;
