import { amount, type StateFields } from "../curve/state-field.ts";
import type { VaultState } from "./state.ts";

export const vaultFields = {
  totalAssets: amount,
  totalSupply: amount,
  virtualShares: amount,
  maxDeposit: amount,
} satisfies StateFields<VaultState>;
