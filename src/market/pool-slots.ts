import type { Address } from "../domain/address.ts";
import type { PoolId } from "../domain/route.ts";
import type { Pool } from "../pools/pool.ts";
import type { MarketGraph } from "./pool-store.ts";

/** Few: then most of what a block leaves as it was is in chunks that it does not change. */
export const CHUNK = 16;
/** More tokens than ever will be: two numbers of tokens make one number of their pair. */
const MAX_TOKENS = 2 ** 26;
type Chunk = (Pool | undefined)[];

/**
 * Pools in numbered slots, kept in chunks that are copied when they are first changed after a freeze. The indices (id to
 * slot, token to slots) only ever grow and are shared by all frozen graphs: what a graph does not have in a slot is not
 * found there.
 */
export class PoolSlots {
  #chunks: Chunk[] = [];
  /** The chunks that no graph shares, by their numbers. */
  #own = new Set<number>();
  #isShared = false;
  readonly #slots = new Map<PoolId, number>();
  readonly #ofToken = new Map<Address, number[]>();
  readonly #tokenNumbers = new Map<Address, number>();
  readonly #ofPair = new Map<number, number[]>();

  /** Pools that ever had a slot. */
  get size(): number {
    return this.#slots.size;
  }

  slotOf(id: PoolId): number | undefined {
    return this.#slots.get(id);
  }

  at(slot: number): Pool | undefined {
    return poolInSlot(slot, this.#chunks);
  }

  /** The pools that are there, by their slots. */
  *entries(): Generator<readonly [slot: number, pool: Pool]> {
    for (const [index, chunk] of this.#chunks.entries())
      for (const [place, pool] of chunk.entries()) if (pool !== undefined) yield [index * CHUNK + place, pool];
  }

  /** Pools that ever held a token. */
  holdersOf(token: Address): number {
    return this.#ofToken.get(token)?.length ?? 0;
  }

  /** Number of tokens that a pool ever held, and these. */
  get tokenCount(): number {
    return this.#ofToken.size;
  }

  tokens(): Iterable<Address> {
    return this.#ofToken.keys();
  }

  /** Puts a pool into a slot, or empties it. A pool has the same slot for good. */
  put(slot: number, pool: Pool | undefined): void {
    if (pool !== undefined && this.#slots.get(pool.id) !== slot) this.#index(slot, pool);
    this.#writable(Math.floor(slot / CHUNK))[slot % CHUNK] = pool;
  }

  /** The pools as they are now, for ever. */
  freeze(time: bigint, hubs: readonly Address[]): MarketGraph {
    const frozen: readonly Chunk[] = this.#chunks;
    this.#isShared = true;
    this.#own = new Set();
    const lists = new Map<Address, readonly Pool[]>();
    return {
      time,
      pool: (id) => this.#find(id, frozen),
      poolsOf: (token) => {
        const known = lists.get(token);
        if (known !== undefined) return known;
        const pools = poolsIn(this.#ofToken.get(token), frozen, [token]);
        lists.set(token, pools);
        return pools;
      },
      poolsBetween: (first, second) => {
        const pair = this.#pairOf(first, second);
        return pair === undefined ? [] : poolsIn(this.#ofPair.get(pair), frozen, [first, second]);
      },
      chunks: () => frozen,
      hubs: () => hubs,
      all: () => frozen.flatMap((chunk) => chunk.filter((pool) => pool !== undefined)),
    };
  }

  #find(id: PoolId, from: readonly Chunk[]): Pool | undefined {
    const slot = this.#slots.get(id);
    const pool = slot === undefined ? undefined : poolInSlot(slot, from);
    return pool?.id === id ? pool : undefined;
  }

  #index(slot: number, pool: Pool): void {
    this.#slots.set(pool.id, slot);
    const held = [...new Set(pool.tokens)];
    for (const [index, token] of held.entries()) {
      insert(this.#ofToken, token, slot);
      if (!this.#tokenNumbers.has(token)) this.#tokenNumbers.set(token, this.#tokenNumbers.size);
      for (const other of held.slice(0, index)) insert(this.#ofPair, this.#pairOf(token, other)!, slot);
    }
  }

  #writable(index: number): Chunk {
    if (this.#isShared) {
      this.#chunks = this.#chunks.slice();
      this.#isShared = false;
    }
    while (this.#chunks.length <= index) {
      this.#own.add(this.#chunks.length);
      this.#chunks.push(new Array<Pool | undefined>(CHUNK).fill(undefined));
    }
    if (!this.#own.has(index)) {
      this.#chunks[index] = this.#chunks[index]!.slice();
      this.#own.add(index);
    }
    return this.#chunks[index]!;
  }

  /** The number of a pair of tokens, whatever their order; undefined when one is in no pool. */
  #pairOf(first: Address, second: Address): number | undefined {
    const [a, b] = [this.#tokenNumbers.get(first), this.#tokenNumbers.get(second)];
    return a === undefined || b === undefined ? undefined : Math.min(a, b) * MAX_TOKENS + Math.max(a, b);
  }
}

/** The pool in a slot, of chunks as `MarketGraph` has them. */
export function poolInSlot(slot: number, chunks: readonly (readonly (Pool | undefined)[])[]): Pool | undefined {
  return chunks[Math.floor(slot / CHUNK)]?.[slot % CHUNK];
}

/** The pools in these slots that hold all of the tokens. */
function poolsIn(slots: readonly number[] = [], chunks: readonly Chunk[], tokens: readonly Address[]): Pool[] {
  const pools: Pool[] = [];
  for (const slot of slots) {
    const pool = poolInSlot(slot, chunks);
    if (pool !== undefined && tokens.every((token) => pool.tokens.includes(token))) pools.push(pool);
  }
  return pools;
}

/** Puts a slot among those of a key, in their order. As a rule it is the last. */
function insert<Key>(lists: Map<Key, number[]>, key: Key, slot: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [slot]);
  else {
    const behind = list.findLastIndex((other) => other <= slot);
    if (list[behind] !== slot) list.splice(behind + 1, 0, slot);
  }
}
