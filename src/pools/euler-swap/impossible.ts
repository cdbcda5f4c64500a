import { MAX_UINT112 } from "../../math/full-math.ts";
import { ONE } from "./branch.ts";
import type { EulerSwapState } from "./state.ts";

/** Limits of prices in either version's `activate`. */
const MAX_PRICES = { v1: 10n ** 25n, v2: 10n ** 24n } as const;

/** Why no pool can be in such a state; undefined where one can. */
export function impossibleEulerSwap(state: EulerSwapState): string | undefined {
  const { version, reserves, equilibrium, prices, concentrations, fees, maxIn, maxOut } = state;
  if (prices.some((price) => price === 0n || price > MAX_PRICES[version])) return "prices that no pool is made with";
  if (concentrations.some((part) => part > ONE)) return "concentrations: more than all";
  if (fees.some((fee) => fee > ONE)) return "fees: more than what is sold";
  const amounts = [reserves, equilibrium, maxIn, maxOut].flat();
  return amounts.some((amount) => amount > MAX_UINT112) ? "amounts of more than 112 bits" : undefined;
}
