import { MAX_UINT256 } from "../math/full-math.ts";

/** Totals that make the rate of an ERC-4626 vault. */
export interface VaultTotals {
  readonly totalAssets: bigint;
  readonly totalSupply: bigint;
}

/** A state that has a vault's totals, and what the vault still takes or gives. */
interface OfVault extends VaultTotals {
  readonly maxDeposit: bigint;
  readonly maxRedeem?: bigint;
}

/**
 * The state with its vault's totals as something else left them. What came in or went out counts against a limit, if the
 * vault has one; what went the other way does not widen it.
 */
export function withTotals<S extends OfVault>(state: S, { totalAssets, totalSupply }: VaultTotals): S {
  const { maxDeposit, maxRedeem } = state;
  const moved = { ...state, totalAssets, totalSupply, maxDeposit: less(maxDeposit, totalAssets - state.totalAssets) };
  return maxRedeem === undefined ? moved : { ...moved, maxRedeem: less(maxRedeem, state.totalSupply - totalSupply) };
}

function less(limit: bigint, used: bigint): bigint {
  if (limit === MAX_UINT256 || used <= 0n) return limit;
  return used < limit ? limit - used : 0n;
}
