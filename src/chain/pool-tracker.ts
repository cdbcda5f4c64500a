import type { Address, Hex } from "../domain/address.ts";
import type { BlockRef } from "../domain/block.ts";
import type { PoolId } from "../domain/route.ts";
import type { ChainReader, Log } from "../market/chain-reader.ts";
import type { LiquiditySource, PoolRef } from "../market/liquidity-source.ts";
import type { PoolStore } from "../market/pool-store.ts";
import { type Clock, slicing } from "./clock.ts";
import { inParallel } from "./reader.ts";
import { createSleepingPools, type SleepingPools } from "./sleeping-pools.ts";
import type { SavedPool } from "./state-file.ts";
import type { Header } from "./wire.ts";

/** A pool as the store holds it. */
export type PoolState = NonNullable<ReturnType<PoolStore["get"]>>;

interface Tracked {
  readonly ref: PoolRef;
  readonly source: LiquiditySource;
}

/** What a block changed, so that it can be taken back. */
interface Applied {
  readonly header: Header;
  readonly before: Map<PoolId, PoolState | undefined>;
  /** Pools that it changed from states that nobody has read: it lies below the block that they were read at. */
  readonly unread: ReadonlySet<PoolId>;
  readonly added: readonly PoolId[];
  /** Whether what moves without a log was read at this block too. */
  fresh: boolean;
}

/** Pools read at once by one `sync` of a source. */
const SYNC_BATCH = 500;
/** Sources that are read at a time: each reads several batches at once itself. */
const PARALLEL_SOURCES = 4;
const NONE: ReadonlySet<PoolId> = new Set();

/** The pools at the tip of a chain of blocks linked by parentHash, with the way back. */
export interface PoolTracker {
  readonly tip: Header;
  /** The block that the way back ends at. */
  readonly oldest: Header;
  /** Blocks that the way back may still grow by at its far end. */
  readonly room: number;
  /**
   * Makes the way back one block longer: it ends at the parent of `oldest` then, whose logs are `logs`. The states before
   * it are not known: pools that it changed are to be read anew once it is taken back.
   */
  reachBack(parent: Header, logs: readonly Log[]): void;
  has(hash: Hex): boolean;
  hashAt(blockNumber: bigint): Hex | undefined;
  /**
   * Moves from the tip to its child `header` by that block's logs. Either all of the block is applied or, when the node
   * fails, nothing of it. What moves without a log is left as it was: see `freshen`. Pools that have to be read are read
   * at that block or, with `later`, left without a state and handed over: a node need not have the state of old blocks.
   */
  apply(header: Header, logs: readonly Log[], later?: (ids: readonly PoolId[]) => void): Promise<void>;
  /** Reads at the tip what moves without a log, where that was not done. Before it the tip is no state to quote from. */
  freshen(): Promise<void>;
  /**
   * Goes back to a block that `has` knows. Answers pools that are without a state there, since it was read later or never:
   * they are to be read anew.
   */
  unwindTo(hash: Hex): readonly PoolId[];
  /** Takes in pools that exist at the tip and were not announced since the way back begins, and reads them. */
  adopt(found: readonly Tracked[]): Promise<void>;
  /** Lets pools go without a state: their logs are passed over until they are woken. */
  sleep(ids: readonly PoolId[]): void;
  /** Reads sleeping pools at the tip and follows them from there. */
  wake(ids: readonly PoolId[]): Promise<void>;
  readonly asleep: Pick<SleepingPools, "ids" | "with" | "count">;
  /** Reads pools anew at the tip. The way back keeps its old states. */
  resync(ids: readonly PoolId[]): Promise<void>;
  /**
   * All pools as a block of the way back left them. Without a state are those that could not be read then, and those whose
   * state there is in doubt: they were read anew since, or are among `doubted`.
   */
  stateAt(
    blockNumber: bigint,
    doubted: Pick<ReadonlySet<PoolId>, "has">,
  ): { readonly header: Header; readonly pools: readonly SavedPool[] } | undefined;
  /** What is known of a pool, whether or not it can be read. */
  tracked(id: PoolId): Tracked | undefined;
  ids(): readonly PoolId[];
  /** Pools that the tip's block changed, in the order of their last change. */
  touched(): readonly PoolId[];
}

/** First topics of all logs that a set of sources wants to see. */
export function topicsOf(sources: readonly LiquiditySource[]): readonly Hex[] {
  return [...new Set(sources.flatMap((source) => [...source.stateTopics, ...(source.creation?.topics ?? [])]))];
}

/** Reads `refs` at a block in batches. */
export async function readPools(
  reader: ChainReader,
  source: LiquiditySource,
  refs: readonly PoolRef[],
  at: BlockRef,
): Promise<ReadonlyMap<PoolId, PoolState>> {
  const pools = new Map<PoolId, PoolState>();
  for (let from = 0; from < refs.length; from += SYNC_BATCH) {
    for (const pool of await source.sync(reader, refs.slice(from, from + SYNC_BATCH), at)) pools.set(pool.id, pool);
  }
  return pools;
}

/** A tracker that starts at `base` with the pools in `found`, which `store` is filled with. */
export async function startPoolTracker(options: {
  readonly reader: ChainReader;
  readonly store: PoolStore;
  readonly sources: readonly LiquiditySource[];
  readonly found: readonly Tracked[];
  readonly base: Header;
  /** The states at `base`, where they are known: then nothing is read, and a pool without one stays unread. */
  readonly states?: ReadonlyMap<PoolId, PoolState>;
  /** Pools that are to sleep, where they are among `found`. */
  readonly asleep?: ReadonlySet<PoolId>;
  /** Blocks that can be taken back. */
  readonly ringSize: number;
  readonly clock: Clock;
}): Promise<PoolTracker> {
  const { reader, store, sources, clock } = options;
  const tracked = new Map<PoolId, Tracked>();
  const byAddress = new Map<Address, PoolId[]>();
  const ring: Applied[] = [];
  /** The block that pools were last read anew at, beside what their logs said. */
  const readAnew = new Map<PoolId, bigint>();
  const heights = new Map<Hex, bigint>([[options.base.hash, options.base.number]]);
  const sleeping = createSleepingPools();
  let oldest = options.base;
  let oldestIsFresh = options.states === undefined;
  let tip = options.base;
  /** Pools that were read whole at the tip. */
  let readAtTip: ReadonlySet<PoolId> = new Set();

  function track(entry: Tracked): boolean {
    if (tracked.has(entry.ref.id)) return false;
    tracked.set(entry.ref.id, entry);
    const ids = byAddress.get(entry.ref.address);
    if (ids === undefined) byAddress.set(entry.ref.address, [entry.ref.id]);
    else ids.push(entry.ref.id);
    return true;
  }

  /** The pools that a log is about. All pools of a singleton are of one source. */
  function concerned(log: Log): readonly PoolId[] {
    const ids = byAddress.get(log.address) ?? [];
    const source = ids[0] === undefined ? undefined : tracked.get(ids[0])!.source;
    if (source?.poolOf === undefined) return ids;
    const id = source.poolOf(log);
    return id !== undefined && tracked.has(id) ? [id] : [];
  }

  function untrack(id: PoolId): void {
    const address = tracked.get(id)?.ref.address;
    if (address === undefined) return;
    const rest = byAddress.get(address)!.filter((other) => other !== id);
    if (rest.length === 0) byAddress.delete(address);
    else byAddress.set(address, rest);
    sleeping.delete(id);
    tracked.delete(id);
  }

  async function read(entries: readonly Tracked[], at: BlockRef): Promise<Map<PoolId, PoolState | undefined>> {
    const states = new Map<PoolId, PoolState | undefined>(entries.map(({ ref }) => [ref.id, undefined]));
    const owners = sources.filter((source) => entries.some((entry) => entry.source === source));
    await inParallel(owners, PARALLEL_SOURCES, async (source) => {
      const refs = entries.filter((entry) => entry.source === source).map(({ ref }) => ref);
      for (const [id, pool] of await readPools(reader, source, refs, at)) if (states.has(id)) states.set(id, pool);
    });
    return states;
  }

  /** What the logs do to the pools, without doing it: new states, pools to read anew, pools that are new. */
  async function fold(logs: readonly Log[]) {
    const states = new Map<PoolId, PoolState | undefined>();
    const unread = new Map<PoolId, Tracked>();
    const created = new Map<PoolId, Tracked>();
    const pause = slicing(clock);
    for (const log of logs) {
      for (const entry of announced(log, sources)) {
        if (tracked.has(entry.ref.id)) continue;
        created.set(entry.ref.id, entry);
        unread.set(entry.ref.id, entry);
      }
      for (const id of concerned(log)) {
        const entry = tracked.get(id)!;
        if (unread.has(id) || sleeping.has(id) || !entry.source.stateTopics.includes(log.topics[0]!)) continue;
        const pool = states.get(id) ?? store.get(id);
        const next = pool === undefined ? "resync" : applied(entry.source, pool, log);
        if (next === "resync") unread.set(id, entry);
        else {
          states.delete(id);
          states.set(id, next);
        }
      }
      const turn = pause();
      if (turn !== undefined) await turn;
    }
    return { states, unread, created };
  }

  /** What of a source's pools has moved without a log, for all but those that were just read. */
  async function moved(
    source: LiquiditySource,
    at: BlockRef,
  ): Promise<readonly (readonly [PoolId, PoolState | undefined])[]> {
    const pools: PoolState[] = [];
    for (const { ref, source: owner } of tracked.values()) {
      const pool = owner === source && !readAtTip.has(ref.id) ? store.get(ref.id) : undefined;
      if (pool !== undefined) pools.push(pool);
    }
    if (source.refresh === undefined || pools.length === 0) return [];
    const read = new Map((await source.refresh(reader, pools, at)).map((pool) => [pool.id, pool]));
    return pools.filter((pool) => read.get(pool.id) !== pool).map(({ id }) => [id, read.get(id)] as const);
  }

  function sleep(ids: Iterable<PoolId>): void {
    for (const id of ids) {
      const entry = tracked.get(id);
      if (entry === undefined) continue;
      sleeping.add(entry.source.id, entry.ref);
      if (store.get(id) !== undefined) store.set(id, undefined);
    }
  }

  for (const entry of options.found) track(entry);
  const awake = [...tracked.values()].filter(({ ref }) => !options.asleep?.has(ref.id));
  const states = options.states ?? (await read(awake, options.base));
  for (const [id, pool] of states) if (pool !== undefined && tracked.has(id)) store.set(id, pool);
  sleep(options.asleep ?? []);

  return {
    get tip() {
      return tip;
    },
    get oldest() {
      return oldest;
    },
    get room() {
      return options.ringSize - ring.length;
    },
    reachBack(parent, logs) {
      if (parent.hash !== oldest.parentHash) throw new RangeError("not the parent of the oldest block");
      const touched = logs.flatMap((log) =>
        concerned(log).filter((id) => tracked.get(id)!.source.stateTopics.includes(log.topics[0]!)),
      );
      const added = logs.flatMap((log) => announced(log, sources)).map(({ ref }) => ref.id);
      const before = new Map(added.map((id) => [id, undefined]));
      ring.unshift({ header: oldest, before, unread: new Set(touched), added, fresh: oldestIsFresh });
      heights.set(parent.hash, parent.number);
      oldest = parent;
      oldestIsFresh = false;
    },
    has: (hash) => heights.has(hash),
    hashAt(blockNumber) {
      if (blockNumber === oldest.number) return oldest.hash;
      return ring[Number(blockNumber - oldest.number) - 1]?.header.hash;
    },
    async apply(header, logs, later) {
      if (header.parentHash !== tip.hash || header.number !== tip.number + 1n)
        throw new RangeError("not the next block");
      const { states, unread, created } = await fold(logs);
      if (later === undefined) for (const [id, pool] of await read([...unread.values()], header)) states.set(id, pool);
      else {
        for (const id of unread.keys()) states.set(id, undefined);
        later([...unread.keys()]);
      }

      const before = new Map<PoolId, PoolState | undefined>();
      for (const entry of created.values()) track(entry);
      for (const [id, pool] of states) {
        before.set(id, store.get(id));
        store.set(id, pool);
      }
      ring.push({ header, before, unread: NONE, added: [...created.keys()], fresh: false });
      heights.set(header.hash, header.number);
      tip = header;
      readAtTip = new Set(later === undefined ? unread.keys() : []);
      if (ring.length > options.ringSize) {
        heights.delete(oldest.hash);
        const gone = ring.shift()!;
        oldest = gone.header;
        oldestIsFresh = gone.fresh;
        for (const [id, number] of readAnew) if (number <= oldest.number) readAnew.delete(id);
      }
    },
    async freshen() {
      const newest = ring.at(-1);
      if (newest?.fresh ?? oldestIsFresh) return;
      const changes = await Promise.all(sources.map((source) => moved(source, tip)));
      for (const [id, pool] of changes.flat()) {
        if (newest !== undefined && !newest.before.has(id)) newest.before.set(id, store.get(id));
        store.set(id, pool);
      }
      if (newest === undefined) oldestIsFresh = true;
      else newest.fresh = true;
    },
    unwindTo(hash) {
      if (!heights.has(hash)) throw new RangeError(`block ${hash} is not in the undo ring`);
      const unread = new Set<PoolId>();
      while (tip.hash !== hash) {
        const { header, before, unread: neverRead, added } = ring.pop()!;
        for (const [id, pool] of before) if (!sleeping.has(id)) store.set(id, pool);
        for (const id of neverRead) if (!sleeping.has(id)) unread.add(id);
        added.forEach(untrack);
        heights.delete(header.hash);
        tip = ring.at(-1)?.header ?? oldest;
        readAtTip = new Set();
      }
      for (const [id, number] of readAnew) if (number > tip.number) unread.add(id);
      const doubtful = [...unread].filter((id) => tracked.has(id));
      for (const id of doubtful) {
        readAnew.delete(id);
        if (store.get(id) !== undefined) store.set(id, undefined);
      }
      return doubtful;
    },
    async adopt(found) {
      const fresh = found.filter(({ ref }) => !tracked.has(ref.id));
      const states = await read(fresh, tip);
      for (const entry of fresh) if (track(entry)) readAnew.set(entry.ref.id, tip.number);
      for (const [id, pool] of states) if (pool !== undefined) store.set(id, pool);
    },
    sleep,
    async wake(ids) {
      const entries = ids.flatMap((id) => (sleeping.has(id) ? (tracked.get(id) ?? []) : []));
      const states = await read(entries, tip);
      for (const { ref } of entries) {
        sleeping.delete(ref.id);
        store.set(ref.id, states.get(ref.id));
        readAnew.set(ref.id, tip.number);
      }
    },
    asleep: sleeping,
    async resync(ids) {
      const entries = ids.flatMap((id) => (sleeping.has(id) ? [] : (tracked.get(id) ?? [])));
      for (const [id, pool] of await read(entries, tip)) {
        store.set(id, pool);
        readAnew.set(id, tip.number);
      }
    },
    stateAt(blockNumber, doubted) {
      const back = Number(tip.number - blockNumber);
      const header = blockNumber === oldest.number ? oldest : ring[Number(blockNumber - oldest.number) - 1]?.header;
      if (header === undefined) return undefined;
      const before = new Map<PoolId, PoolState | undefined>();
      const added = new Set<PoolId>();
      for (const block of ring.slice(ring.length - back).reverse()) {
        for (const [id, pool] of block.before) before.set(id, pool);
        for (const id of block.unread) before.set(id, undefined);
        for (const id of block.added) added.add(id);
      }
      const pools = [...tracked.values()].flatMap(({ ref, source }): readonly SavedPool[] => {
        if (added.has(ref.id)) return [];
        const isRead = (readAnew.get(ref.id) ?? -1n) <= blockNumber && source.refresh === undefined;
        const pool =
          !isRead || doubted.has(ref.id) ? undefined : before.has(ref.id) ? before.get(ref.id) : store.get(ref.id);
        return [{ source: source.id, ref, pool, ...(sleeping.has(ref.id) && { asleep: true as const }) }];
      });
      return { header, pools };
    },
    tracked: (id) => tracked.get(id),
    ids: () => [...tracked.keys()],
    touched: () => [...(ring.at(-1)?.before.keys() ?? [])],
  };
}

/** The pools that a log announces. */
export function announced(log: Log, sources: readonly LiquiditySource[]): readonly Tracked[] {
  return sources.flatMap((source): readonly Tracked[] => {
    const { creation } = source;
    if (!creation?.topics.includes(log.topics[0]!) || !creation.addresses.includes(log.address)) return [];
    const ref = source.created?.(log);
    return ref === undefined ? [] : [{ ref, source }];
  });
}

/** A source that throws where it should have answered has met something that it does not understand: read anew. */
function applied(source: LiquiditySource, pool: PoolState, log: Log): PoolState | "resync" {
  try {
    return source.apply(pool, log);
  } catch {
    return "resync";
  }
}
