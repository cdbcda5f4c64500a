import {
  amount,
  amountsPerToken,
  flag,
  maybeAmount,
  oneOf,
  type StateField,
  type StateFields,
  twoAmounts,
} from "../curve/state-field.ts";
import type { PriceCheck } from "./price-check.ts";
import type { StableswapState } from "./state.ts";

const basePool: StateField<StableswapState["basePool"], string | undefined> = {
  write: (pool) => pool,
  read: (pool) => pool,
};

interface SavedCheck {
  readonly prices: string[];
  readonly thresholds: string[];
}

const priceCheck: StateField<PriceCheck | undefined, SavedCheck | undefined> = {
  write: (check) => check && { prices: twoAmounts.write(check.prices), thresholds: twoAmounts.write(check.thresholds) },
  read: (saved) => saved && { prices: twoAmounts.read(saved.prices), thresholds: twoAmounts.read(saved.thresholds) },
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
  priceCheck,
} satisfies StateFields<StableswapState>;
