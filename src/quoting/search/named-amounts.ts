import type { Address } from "../../domain/address.ts";
import type { MarketGraph } from "../../market/pool-store.ts";
import { curveOf, type Pool } from "../../pools/pool.ts";

/** Whether a token keeps balances as rounded shares, and a pool counts the amount that is named where that is sold to it. */
export function countsNamed(pool: Pool, token: Address): boolean {
  const index = curveOf(pool).countsNamed?.(pool.state);
  return index !== undefined && pool.tokens[index] === token;
}

/** Whether some pool does: a token that keeps balances as rounded shares can be sold there, and nowhere else. */
export function isSoldByName(graph: Pick<MarketGraph, "poolsOf">, token: Address): boolean {
  return graph.poolsOf(token).some((pool) => countsNamed(pool, token));
}
