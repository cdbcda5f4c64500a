import {
  amount,
  amountsPerToken,
  flag,
  flagsPerToken,
  integer,
  oneOf,
  type StateField,
  type StateFields,
} from "../curve/state-field.ts";
import type { GyroState } from "./state.ts";

/** Some are below zero. */
const parameters: StateField<readonly bigint[], string[]> = {
  write: (values) => values.map(String),
  read: (texts) => texts.map(integer),
};

export const gyroFields = {
  kind: oneOf("kind of pool", ["2clp", "3clp", "eclp"]),
  balances: amountsPerToken,
  scales: amountsPerToken,
  rates: amountsPerToken,
  rated: flagsPerToken,
  parameters,
  swapFee: amount,
  paused: flag,
} satisfies StateFields<GyroState>;
