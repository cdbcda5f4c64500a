import type { Address } from "../domain/address.ts";
import type { PoolId } from "../domain/route.ts";
import type { Log } from "../market/chain-reader.ts";
import type { LiquiditySource } from "../market/liquidity-source.ts";
import type { Found } from "./found.ts";

/** The pools that were announced, whether or not they can be read. */
export interface TrackedPools {
  readonly size: number;
  has(id: PoolId): boolean;
  get(id: PoolId): Found | undefined;
  /** Leaves a pool as it is that is there already. */
  add(pool: Found): void;
  delete(id: PoolId): void;
  all(): Iterable<Found>;
  of(source: LiquiditySource): Iterable<PoolId>;
  /** The pools whose state a log changes. */
  changedBy(log: Log): readonly Found[];
}

export function createTrackedPools(): TrackedPools {
  const pools = new Map<PoolId, Found>();
  const byAddress = new Map<Address, Set<PoolId>>();
  const bySource = new Map<LiquiditySource, Set<PoolId>>();

  /** The pools that a log is about. All pools of a singleton are of one source. */
  function concerned(log: Log): readonly Found[] {
    const ids = byAddress.get(log.address);
    if (ids === undefined) return [];
    const [first] = ids;
    const { source } = pools.get(first!)!;
    if (source.poolOf === undefined) return [...ids].map((id) => pools.get(id)!);
    const id = source.poolOf(log);
    const pool = id === undefined ? undefined : pools.get(id);
    return pool === undefined ? [] : [pool];
  }

  return {
    get size() {
      return pools.size;
    },
    has: (id) => pools.has(id),
    get: (id) => pools.get(id),
    add(pool) {
      const { ref, source } = pool;
      if (pools.has(ref.id)) return;
      pools.set(ref.id, pool);
      enter(byAddress, ref.address, ref.id);
      enter(bySource, source, ref.id);
    },
    delete(id) {
      const pool = pools.get(id);
      if (pool === undefined) return;
      pools.delete(id);
      leave(byAddress, pool.ref.address, id);
      leave(bySource, pool.source, id);
    },
    all: () => pools.values(),
    of: (source) => bySource.get(source) ?? [],
    changedBy: (log) => concerned(log).filter(({ source }) => source.stateTopics.includes(log.topics[0]!)),
  };
}

function enter<Key>(sets: Map<Key, Set<PoolId>>, key: Key, id: PoolId): void {
  const ids = sets.get(key);
  if (ids === undefined) sets.set(key, new Set([id]));
  else ids.add(id);
}

function leave<Key>(sets: Map<Key, Set<PoolId>>, key: Key, id: PoolId): void {
  const ids = sets.get(key)!;
  ids.delete(id);
  if (ids.size === 0) sets.delete(key);
}
