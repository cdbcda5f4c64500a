import type { Address } from "../domain/address.ts";
import { MAX_UINT256 } from "../math/full-math.ts";
import type { Pool } from "./pool.ts";

/** What the rate of an ERC-4626 vault is made of. */
export interface VaultTotals {
  readonly totalAssets: bigint;
  readonly totalSupply: bigint;
}

/** A state that has a vault's totals, and what the vault still takes or gives. */
interface OfVault extends VaultTotals {
  readonly maxDeposit: bigint;
  readonly maxRedeem?: bigint;
}

/** The ERC-4626 vault whose totals are part of a pool's state: all pools of the same vault move together. */
export function vaultOf({ curve, tokens }: Pool): Address | undefined {
  return curve === "vault" || curve === "balancer-v3-buffer" ? tokens[1] : undefined;
}

/** The state of a pool where trades before left `totals` of ERC-4626 vaults: the same where its own is not among them. */
export function afterTotals(
  pool: Pool,
  state: Pool["state"],
  totals: ReadonlyMap<Address, VaultTotals>,
): Pool["state"] {
  const vault = vaultOf(pool);
  const moved = vault === undefined ? undefined : totals.get(vault);
  return moved !== undefined && "totalAssets" in state ? withTotals(state, moved) : state;
}

/** Notes the totals of a pool's ERC-4626 vault, if it has one, as a trade left them. */
export function noteTotals(pool: Pool, state: Pool["state"], totals: Map<Address, VaultTotals>): void {
  const vault = vaultOf(pool);
  if (vault !== undefined && "totalAssets" in state) totals.set(vault, state);
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
