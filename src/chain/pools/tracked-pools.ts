import type { Address } from "../../domain/address.ts";
import type { PoolId } from "../../domain/route.ts";
import type { Log } from "../../market/chain-reader.ts";
import { isStateLog, type LiquiditySource } from "../../market/liquidity-source.ts";
import type { Found } from "./found-pools.ts";

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
  count(source: LiquiditySource): number;
  /** The pools whose state a log changes. */
  changedBy(log: Log): readonly Found[];
}

export function createTrackedPools(): TrackedPools {
  const pools = new Map<PoolId, Found>();
  /**
   * Pools of several sources may be in one contract; of nearly all contracts there is one pool, which stands there by itself:
   * a map and a set for each were a third of all that a sleeping pool takes.
   */
  const byAddress = new Map<Address, Found | Map<LiquiditySource, Set<PoolId>>>();
  const bySource = new Map<LiquiditySource, Set<PoolId>>();

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
      const there = byAddress.get(ref.address);
      if (there === undefined) byAddress.set(ref.address, pool);
      else {
        const several = there instanceof Map ? there : new Map([[there.source, new Set([there.ref.id])]]);
        byAddress.set(ref.address, several);
        enter(several, source, ref.id);
      }
      enter(bySource, source, ref.id);
    },
    delete(id) {
      const pool = pools.get(id);
      if (pool === undefined) return;
      pools.delete(id);
      const there = byAddress.get(pool.ref.address);
      if (there instanceof Map) leave(there, pool.source, id);
      if (!(there instanceof Map) || there.size === 0) byAddress.delete(pool.ref.address);
      leave(bySource, pool.source, id);
    },
    all: () => pools.values(),
    of: (source) => bySource.get(source) ?? [],
    count: (source) => bySource.get(source)?.size ?? 0,
    changedBy(log) {
      const there = byAddress.get(log.address);
      if (there === undefined) return [];
      if (!(there instanceof Map)) return isAbout(log, there) ? [there] : [];
      const changed: Found[] = [];
      for (const [source, ids] of there) {
        if (!isStateLog(source, log)) continue;
        const about = source.poolOf === undefined ? ids : [source.poolOf(log)];
        for (const id of about) if (id !== undefined && ids.has(id)) changed.push(pools.get(id)!);
      }
      return changed;
    },
  };
}

/** Whether a log at a pool's address changes its state. */
function isAbout(log: Log, { ref, source }: Found): boolean {
  if (!isStateLog(source, log)) return false;
  return source.poolOf === undefined || source.poolOf(log) === ref.id;
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
