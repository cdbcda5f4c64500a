import { areAbove, unless } from "../curve/faults.ts";
import { FEE_ONE } from "./fee.ts";
import { PRECISION } from "./invariant.ts";
import type { StableswapState } from "./state.ts";

/** Why no contract can be in such a state; undefined where one can. */
export function impossibleStableswap({
  balances,
  aPrecision,
  fee,
  priceCheck,
  rates,
  totalSupply,
}: StableswapState): string | undefined {
  if (balances.length < 2 || aPrecision === 0n || fee > FEE_ONE) return "balances, aPrecision or fee of no pool";
  if (priceCheck === undefined) return undefined;
  const isPlain = rates.every((rate) => rate > 0n && rate % PRECISION === 0n);
  const isChecked = balances.length === 2 && isPlain && totalSupply === undefined && areAbove(0n, priceCheck.prices);
  return unless(isChecked, "priceCheck of no pool");
}
