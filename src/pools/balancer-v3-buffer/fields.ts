import { amount, flag, type StateFields } from "../curve/state-field.ts";
import type { BalancerV3BufferState } from "./state.ts";

export const balancerV3BufferFields = {
  totalAssets: amount,
  totalSupply: amount,
  virtualShares: amount,
  maxDeposit: amount,
  maxRedeem: amount,
  assets: amount,
  shares: amount,
  minWrap: amount,
  paused: flag,
} satisfies StateFields<BalancerV3BufferState>;
