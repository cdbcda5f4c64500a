import { areAbove, unless } from "../curve/faults.ts";
import { FEE_ONE } from "./fee.ts";
import type { StableswapState } from "./state.ts";

/** Why no contract can be in such a state; undefined where one can. */
export function impossibleStableswap({
  balances,
  aPrecision,
  fee,
  priceCheck,
  totalSupply,
}: StableswapState): string | undefined {
  if (balances.length < 2 || aPrecision === 0n || fee > FEE_ONE) return "balances, aPrecision or fee of no pool";
  if (priceCheck === undefined) return undefined;
  const isChecked = balances.length === 2 && totalSupply === undefined && areAbove(0n, priceCheck.prices);
  return unless(isChecked, "priceCheck of no pool");
}
