import { unless } from "../curve/faults.ts";
import { FEE_ONE } from "./fee.ts";
import type { StableswapState } from "./state.ts";

/** Why no contract can be in such a state; undefined where one can. */
export function impossibleStableswap({ balances, aPrecision, fee }: StableswapState): string | undefined {
  return unless(balances.length > 1 && aPrecision > 0n && fee <= FEE_ONE, "balances, aPrecision or fee of no pool");
}
