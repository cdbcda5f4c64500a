import type { Address } from "../domain/address.ts";
import { curveOf, type Pool } from "./pool.ts";
import { type VaultTotals, withTotals } from "./rate-totals.ts";

/** The ERC-4626 vault whose totals are part of a pool's state: all pools of the same vault move together. */
export function vaultOf(pool: Pool): Address | undefined {
  return curveOf(pool).sharesTotals ? pool.tokens[1] : undefined;
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
