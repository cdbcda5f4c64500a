import { fillsOf, type Route } from "../../domain/route.ts";
import type { MarketGraph } from "../../market/pool-store.ts";
import { vaultOf } from "../../pools/shared-totals.ts";

/**
 * Whether a route trades with an ERC-4626 vault, which may move the vault's rate in its last digits, and with a pool that
 * values the vault's shares at a rate: where that pool has its rate from is not known, so that it may pay another wei.
 */
export function dependsOnMovedRate(route: Route, graph: Pick<MarketGraph, "pool">): boolean {
  const pools = fillsOf(route).flatMap(({ poolId }) => graph.pool(poolId) ?? []);
  const vaults = new Set(pools.flatMap((pool) => vaultOf(pool) ?? []));
  return pools.some(({ state, tokens }) => "rates" in state && tokens.some((token) => vaults.has(token)));
}
