import {
  amount,
  amountsPerToken,
  flag,
  maybeAmount,
  oneOf,
  type StateField,
  type StateFields,
} from "../curve/state-field.ts";
import type { StableswapState } from "./state.ts";

const basePool: StateField<StableswapState["basePool"], string | undefined> = {
  write: (pool) => pool,
  read: (pool) => pool,
};

export const stableswapFields = {
  balances: amountsPerToken,
  rates: amountsPerToken,
  initialA: amount,
  futureA: amount,
  initialATime: amount,
  futureATime: amount,
  aPrecision: amount,
  fee: amount,
  adminFee: amount,
  offpegFeeMultiplier: maybeAmount,
  generation: oneOf("generation of pools", ["old", "ng"]),
  killed: flag,
  totalSupply: maybeAmount,
  basePool,
} satisfies StateFields<StableswapState>;
