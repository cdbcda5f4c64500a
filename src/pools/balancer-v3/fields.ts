import { amount, amountsPerToken, flag, maybeTrue, oneOf, type StateFields } from "../curve/state-field.ts";
import type { BalancerV3State } from "./state.ts";

export const balancerV3Fields = {
  kind: oneOf("kind of pool", ["weighted", "stable"]),
  balances: amountsPerToken,
  scales: amountsPerToken,
  rates: amountsPerToken,
  swapFee: amount,
  aggregateFee: amount,
  minTrade: amount,
  weights: amountsPerToken,
  minBalances: amountsPerToken,
  firstVersion: maybeTrue,
  initialA: amount,
  futureA: amount,
  initialATime: amount,
  futureATime: amount,
  paused: flag,
} satisfies StateFields<BalancerV3State>;
