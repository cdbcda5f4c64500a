import { amount, type StateFields } from "../curve/state-field.ts";
import type { FixedRateState } from "./state.ts";

export const fixedRateFields = { gas: amount } satisfies StateFields<FixedRateState>;
