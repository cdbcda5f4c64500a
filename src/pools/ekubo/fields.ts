import { ticks } from "../concentrated/fields.ts";
import { amount, type StateFields, whole } from "../curve/state-field.ts";
import type { EkuboState } from "./state.ts";

export const ekuboFields = {
  sqrtRatio: amount,
  tick: whole,
  liquidity: amount,
  config: amount,
  ticks,
} satisfies StateFields<EkuboState>;
