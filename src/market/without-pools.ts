import type { Address } from "../domain/address.ts";
import type { PoolId } from "../domain/route.ts";
import type { Pool } from "../pools/pool.ts";
import type { MarketGraph } from "./pool-store.ts";

type Chunk = ReturnType<MarketGraph["chunks"]>[number];

/** The same graph without some pools. What holds none of them is shared with it. */
export function withoutPools(
  graph: MarketGraph,
  hidden: { has(id: PoolId): boolean; readonly size: number },
): MarketGraph {
  if (hidden.size === 0) return graph;
  const visible = (pools: readonly Pool[]) => pools.filter(({ id }) => !hidden.has(id));
  const isHidden = (pool: Pool | undefined) => pool !== undefined && hidden.has(pool.id);
  const lists = new Map<Address, readonly Pool[]>();
  let chunks: readonly Chunk[] | undefined;
  return {
    ...graph,
    pool: (id) => (hidden.has(id) ? undefined : graph.pool(id)),
    poolsOf(token) {
      const known = lists.get(token);
      if (known !== undefined) return known;
      const pools = visible(graph.poolsOf(token));
      lists.set(token, pools);
      return pools;
    },
    poolsBetween: (first, second) => visible(graph.poolsBetween(first, second)),
    chunks() {
      chunks ??= graph
        .chunks()
        .map((chunk) => (chunk.some(isHidden) ? chunk.map((pool) => (isHidden(pool) ? undefined : pool)) : chunk));
      return chunks;
    },
    all: () => visible(graph.all()),
  };
}
