import { withTotals } from "../rate-totals.ts";
import { type ShareRate, shareMath } from "./share-math.ts";
import type { VaultState } from "./state.ts";

/** OpenZeppelin's ERC4626 (ERC4626.sol: _convertToShares, _convertToAssets): the rate is that of two totals. */
export const vaultMath = shareMath<VaultState>({
  at: (state) => ({ ...state, rate: rateOfTotals(state) }),
  moved: withTotals,
  extraGas: () => 0n,
});

/** The rate of a vault by its totals, with its virtual asset and shares: the last asset never leaves. */
export function rateOfTotals({ totalAssets, totalSupply, virtualShares }: Omit<VaultState, "maxDeposit">): ShareRate {
  return { assets: totalAssets + 1n, shares: totalSupply + virtualShares };
}
