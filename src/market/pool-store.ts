import type { Address } from "../domain/address.ts";
import type { PoolId } from "../domain/route.ts";
import type { SourceId } from "../domain/source.ts";
import type { Pool } from "../pools/pool.ts";
import type { PoolGraph } from "../routing/router.ts";

/**
 * The pools of the market as they are being changed. `freeze` gives what a snapshot keeps: it shares all that did not
 * change with the one before, so that a block costs what it touches and not what there is.
 */
export interface PoolStore {
  get(id: PoolId): Pool | undefined;
  /** Puts a pool in its new state; undefined takes it away. */
  set(id: PoolId, pool: Pool | undefined): void;
  /** Pools with a state, by source. */
  count(source: SourceId): number;
  /** Tokens of all pools that ever had a state here. */
  tokens(): ReadonlySet<Address>;
  /** The pools as they are now, for ever; without those in `hidden`. */
  freeze(time: bigint, hidden: ReadonlySet<PoolId>): PoolGraph;
}

const CHUNK = 256;
type Chunk = (Pool | undefined)[];

/**
 * Every pool has a slot for good; slots are kept in chunks that are copied when they are first changed after a freeze.
 * The indices (id to slot, token to slots) only ever grow and are shared by all snapshots: a slot that an older snapshot
 * does not have is simply empty there.
 */
export function createPoolStore(): PoolStore {
  const slots = new Map<PoolId, number>();
  const slotsOfToken = new Map<Address, number[]>();
  const counts = new Map<SourceId, number>();
  let chunks: Chunk[] = [];
  let ownChunks = new Set<number>();
  let chunksShared = false;
  let tokens: ReadonlySet<Address> = new Set();

  function read(id: PoolId, from: readonly Chunk[]): Pool | undefined {
    const slot = slots.get(id);
    return slot === undefined ? undefined : from[Math.floor(slot / CHUNK)]?.[slot % CHUNK];
  }

  function writable(index: number): Chunk {
    if (chunksShared) {
      chunks = chunks.slice();
      chunksShared = false;
    }
    if (!ownChunks.has(index)) {
      chunks[index] = chunks[index]?.slice() ?? new Array<Pool | undefined>(CHUNK).fill(undefined);
      ownChunks.add(index);
    }
    return chunks[index]!;
  }

  function slotFor(pool: Pool): number {
    const known = slots.get(pool.id);
    if (known !== undefined) return known;
    const slot = slots.size;
    slots.set(pool.id, slot);
    for (const token of new Set(pool.tokens)) {
      const list = slotsOfToken.get(token);
      if (list === undefined) slotsOfToken.set(token, [slot]);
      else list.push(slot);
    }
    return slot;
  }

  function count(source: SourceId, by: number): void {
    counts.set(source, (counts.get(source) ?? 0) + by);
  }

  return {
    get: (id) => read(id, chunks),
    set(id, pool) {
      const before = read(id, chunks);
      if (before === pool) return;
      const slot = pool === undefined ? slots.get(id)! : slotFor(pool);
      writable(Math.floor(slot / CHUNK))[slot % CHUNK] = pool;
      if (before !== undefined) count(before.source, -1);
      if (pool !== undefined) count(pool.source, 1);
    },
    count: (source) => counts.get(source) ?? 0,
    tokens() {
      if (tokens.size !== slotsOfToken.size) tokens = new Set(slotsOfToken.keys());
      return tokens;
    },
    freeze(time, hidden) {
      const frozen: readonly Chunk[] = chunks;
      chunksShared = true;
      ownChunks = new Set();
      const lists = new Map<Address, readonly Pool[]>();
      return {
        time,
        pool: (id) => (hidden.has(id) ? undefined : read(id, frozen)),
        poolsOf(token) {
          const known = lists.get(token);
          if (known !== undefined) return known;
          const pools: Pool[] = [];
          for (const slot of slotsOfToken.get(token) ?? []) {
            const pool = frozen[Math.floor(slot / CHUNK)]?.[slot % CHUNK];
            if (pool !== undefined && !hidden.has(pool.id)) pools.push(pool);
          }
          lists.set(token, pools);
          return pools;
        },
      };
    },
  };
}
