import type { Address } from "../domain/address.ts";
import type { PoolId } from "../domain/route.ts";
import type { SourceId } from "../domain/source.ts";
import type { Pool } from "../pools/pool.ts";
import type { MarketGraph } from "./pool-store.ts";

/** Pools that snapshots do not show, one by one or all of a source, each with the reason. */
export class HiddenPools {
  #pools: ReadonlyMap<PoolId, string> = new Map();
  #sources: ReadonlyMap<SourceId, string> = new Map();

  /** Those that are hidden one by one: another object whenever that changes. */
  get pools(): ReadonlyMap<PoolId, string> {
    return this.#pools;
  }

  /** Why all pools of a source are hidden; undefined where they are not. */
  reasonOf(source: SourceId): string | undefined {
    return this.#sources.get(source);
  }

  add(id: PoolId, reason: string): void {
    this.#pools = new Map([...this.#pools, [id, reason]]);
  }

  remove(id: PoolId): void {
    if (this.#pools.has(id)) this.#pools = new Map([...this.#pools].filter(([other]) => other !== id));
  }

  addSource(id: SourceId, reason: string): void {
    this.#sources = new Map([...this.#sources, [id, reason]]);
  }

  removeSource(id: SourceId): void {
    this.#sources = new Map([...this.#sources].filter(([other]) => other !== id));
  }

  /** Graph without the hidden pools. */
  without(graph: MarketGraph): MarketGraph {
    if (this.#sources.size === 0) return withoutPools(graph, this.#pools);
    const ofSources = graph.all().flatMap(({ id, source }) => (this.#sources.has(source) ? [id] : []));
    return withoutPools(graph, new Set([...this.#pools.keys(), ...ofSources]));
  }
}

type Chunk = ReturnType<MarketGraph["chunks"]>[number];

/** Graph without some pools. Chunks that hold none of them are shared with the original. */
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
