import {
  amount,
  amountsPerToken,
  flag,
  flagsPerToken,
  maybeTrue,
  type StateFields,
  whole,
} from "../curve/state-field.ts";
import type { ComposableStableState } from "./state.ts";

export const composableStableFields = {
  balances: amountsPerToken,
  share: whole,
  scales: amountsPerToken,
  rates: amountsPerToken,
  expiries: amountsPerToken,
  durations: amountsPerToken,
  freshRates: amountsPerToken,
  oldRates: amountsPerToken,
  exempt: flagsPerToken,
  initialA: amount,
  futureA: amount,
  initialATime: amount,
  futureATime: amount,
  swapFee: amount,
  roundsUp: maybeTrue,
  totalSupply: amount,
  lastA: amount,
  lastInvariant: amount,
  protocolSwapFee: amount,
  protocolYieldFee: amount,
  paused: flag,
} satisfies StateFields<ComposableStableState>;
