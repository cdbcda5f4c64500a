import type { PoolId } from "../domain/route.ts";
import type { SourceId } from "../domain/source.ts";
import type { MarketGraph } from "./pool-store.ts";
import { withoutPools } from "./without-pools.ts";

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

  /** What is left of a graph without them. */
  without(graph: MarketGraph): MarketGraph {
    if (this.#sources.size === 0) return withoutPools(graph, this.#pools);
    const ofSources = graph.all().flatMap(({ id, source }) => (this.#sources.has(source) ? [id] : []));
    return withoutPools(graph, new Set([...this.#pools.keys(), ...ofSources]));
  }
}
