import type { Address } from "../domain/address.ts";
import type { PoolId } from "../domain/route.ts";
import type { SourceId } from "../domain/source.ts";
import type { Pool } from "../pools/pool.ts";
import type { PoolGraph } from "../routing/router.ts";

/** The pools of a snapshot, with what it takes to value tokens. */
export interface MarketGraph extends PoolGraph {
  /** Pools that hold both tokens, the oldest first. */
  poolsBetween(first: Address, second: Address): readonly Pool[];
  /** The listed tokens that most pools ever held, most first; a few of them. */
  hubs(): readonly Address[];
  /** All pools, the oldest first. */
  all(): readonly Pool[];
}

/**
 * The pools of the market as they are being changed. `freeze` gives what a snapshot keeps: it shares all that did not
 * change with the one before, so that a block costs what it touches and not what there is.
 */
export interface PoolStore {
  get(id: PoolId): Pool | undefined;
  /** Whether a pool ever had a state here. */
  had(id: PoolId): boolean;
  /** Puts a pool in its new state; undefined takes it away. */
  set(id: PoolId, pool: Pool | undefined): void;
  /** Pools with a state that snapshots hold, by source. */
  count(source: SourceId): number;
  /** Pools with a state that no snapshot holds, since their controllers are not allowed. */
  countWithheld(source: SourceId): number;
  /** Tokens of the pools that were set since the last call. */
  takeTouched(): ReadonlySet<Address>;
  /** Tokens of all pools that ever had a state here. */
  tokens(): ReadonlySet<Address>;
  /** The pools as they are now, for ever. */
  freeze(time: bigint): MarketGraph;
}

/** Few: then most of what a block leaves as it was is in chunks that it does not touch. */
const CHUNK = 16;
const HUBS = 9;
/** More tokens than ever will be: two numbers of tokens make one number of their pair. */
const MAX_TOKENS = 2 ** 26;
type Chunk = (Pool | undefined)[];

/** Which pools snapshots hold, and which tokens may become hubs. By default all. */
interface StoreOptions {
  /** Whether pools that this account controls are held by snapshots. */
  readonly allows?: (controller: Address) => boolean;
  readonly isListed?: (token: Address) => boolean;
}

/**
 * Every pool has a slot for good; slots are kept in chunks that are copied when they are first changed after a freeze.
 * The indices (id to slot, token to slots) only ever grow and are shared by all snapshots: a slot that an older snapshot
 * does not have is simply empty there.
 */
export function createPoolStore(options: StoreOptions = {}): PoolStore {
  const { allows = () => true, isListed = () => true } = options;
  /** The pools whose controllers are not allowed, and all that ever were among them. */
  const withheld = new Map<PoolId, Pool>();
  const everWithheld = new Set<PoolId>();
  const withheldCounts = new Map<SourceId, number>();
  let touched = new Set<Address>();
  const slots = new Map<PoolId, number>();
  const slotsOfToken = new Map<Address, number[]>();
  const tokenNumbers = new Map<Address, number>();
  const slotsOfPair = new Map<number, number[]>();
  let hubs: readonly Address[] = [];
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
    const held = [...new Set(pool.tokens)];
    for (const [index, token] of held.entries()) {
      append(slotsOfToken, token, slot);
      if (!tokenNumbers.has(token)) tokenNumbers.set(token, tokenNumbers.size);
      for (const other of held.slice(0, index)) append(slotsOfPair, pairOf(token, other)!, slot);
    }
    rankHubs(held);
    return slot;
  }

  /** Lets the tokens of a new pool rise among the hubs. */
  function rankHubs(risen: readonly Address[]): void {
    const size = (token: Address) => slotsOfToken.get(token)!.length;
    const ranked = [...new Set([...hubs, ...risen.filter(isListed)])].sort(
      (a, b) => size(b) - size(a) || (a < b ? -1 : 1),
    );
    hubs = ranked.slice(0, HUBS);
  }

  /** The number of a pair of tokens, whatever their order; undefined when one is in no pool. */
  function pairOf(first: Address, second: Address): number | undefined {
    const [a, b] = [tokenNumbers.get(first), tokenNumbers.get(second)];
    return a === undefined || b === undefined ? undefined : Math.min(a, b) * MAX_TOKENS + Math.max(a, b);
  }

  /** Puts a pool in its slot, where snapshots find it. */
  function setVisible(id: PoolId, pool: Pool | undefined): void {
    const before = read(id, chunks);
    if (before === pool) return;
    const slot = pool === undefined ? slots.get(id)! : slotFor(pool);
    writable(Math.floor(slot / CHUNK))[slot % CHUNK] = pool;
    for (const token of (pool ?? before)!.tokens) touched.add(token);
    if (before !== undefined) add(counts, before.source, -1);
    if (pool !== undefined) add(counts, pool.source, 1);
  }

  /** Keeps a pool where no snapshot finds it. */
  function setWithheld(id: PoolId, pool: Pool | undefined): void {
    const before = withheld.get(id);
    if (before !== undefined) add(withheldCounts, before.source, -1);
    if (pool === undefined) withheld.delete(id);
    else {
      withheld.set(id, pool);
      everWithheld.add(id);
      add(withheldCounts, pool.source, 1);
    }
  }

  return {
    get: (id) => withheld.get(id) ?? read(id, chunks),
    had: (id) => slots.has(id) || everWithheld.has(id),
    set(id, pool) {
      const isAllowed = pool?.controllers?.every(allows) ?? true;
      setVisible(id, isAllowed ? pool : undefined);
      setWithheld(id, isAllowed ? undefined : pool);
    },
    count: (source) => counts.get(source) ?? 0,
    countWithheld: (source) => withheldCounts.get(source) ?? 0,
    takeTouched() {
      const taken = touched;
      touched = new Set();
      return taken;
    },
    tokens() {
      if (tokens.size !== slotsOfToken.size) tokens = new Set(slotsOfToken.keys());
      return tokens;
    },
    freeze(time) {
      const frozen: readonly Chunk[] = chunks;
      chunksShared = true;
      ownChunks = new Set();
      const lists = new Map<Address, readonly Pool[]>();
      const hubsNow = hubs;
      const poolsIn = (from: readonly number[] = []) => {
        const pools: Pool[] = [];
        for (const slot of from) {
          const pool = frozen[Math.floor(slot / CHUNK)]?.[slot % CHUNK];
          if (pool !== undefined) pools.push(pool);
        }
        return pools;
      };
      return {
        time,
        pool: (id) => read(id, frozen),
        poolsOf(token) {
          const known = lists.get(token);
          if (known !== undefined) return known;
          const pools = poolsIn(slotsOfToken.get(token));
          lists.set(token, pools);
          return pools;
        },
        poolsBetween(first, second) {
          const pair = pairOf(first, second);
          return pair === undefined ? [] : poolsIn(slotsOfPair.get(pair));
        },
        chunks: () => frozen,
        hubs: () => hubsNow,
        all: () => frozen.flatMap((chunk) => chunk.filter((pool) => pool !== undefined)),
      };
    },
  };
}

function add<Key>(counts: Map<Key, number>, key: Key, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

function append<Key>(lists: Map<Key, number[]>, key: Key, slot: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [slot]);
  else list.push(slot);
}
