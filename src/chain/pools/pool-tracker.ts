import type { Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { PoolId } from "../../domain/route.ts";
import type { ChainReader, Log } from "../../market/chain-reader.ts";
import type { LiquiditySource, PoolRef } from "../../market/liquidity-source.ts";
import type { PoolStore } from "../../market/pool-store.ts";
import type { KeptPool } from "../../snapshot/kept-state.ts";
import { type Clock, slicing } from "../rpc/clock.ts";
import type { Header } from "../rpc/codec.ts";
import { announced, type Found } from "./found-pools.ts";
import { type PoolState, readFound, readPools } from "./read-pools.ts";
import { createSleepingPools, type SleepingPools } from "./sleeping-pools.ts";
import { createTrackedPools } from "./tracked-pools.ts";
import { createUndoRing } from "./undo-history.ts";

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
   * Of the pools that the block announces no more than `mostNew` are read, and the rest sleep.
   */
  apply(
    header: Header,
    logs: readonly Log[],
    options?: { readonly later?: ((ids: readonly PoolId[]) => void) | undefined; readonly mostNew?: number },
  ): Promise<void>;
  /** Reads at the tip what moves without a log, where that was not done. Before it the tip is no state to quote from. */
  freshen(): Promise<void>;
  /**
   * Goes back to a block that `has` knows. Answers pools that are without a state there, since it was read later or never:
   * they are to be read anew.
   */
  unwindTo(hash: Hex): readonly PoolId[];
  /** Takes in pools that exist at the tip and were not announced since the way back begins, and reads them. */
  adopt(found: readonly Found[]): Promise<void>;
  /** Pools whose announcements can not be taken back any more, since this was asked last. */
  settled(): readonly PoolId[];
  /** Lets pools go without a state: their logs are passed over until they are woken. */
  sleep(ids: readonly PoolId[]): void;
  /** Reads sleeping pools at the tip and follows them from there. */
  wake(ids: readonly PoolId[]): Promise<void>;
  readonly asleep: Pick<SleepingPools, "size" | "ids" | "with" | "hasWith" | "count" | "next">;
  /** What pools are at the tip, of those that can be read; nothing of it is kept. */
  peek(ids: readonly PoolId[]): Promise<readonly PoolState[]>;
  /** Reads pools anew at the tip. The way back keeps its old states. */
  resync(ids: readonly PoolId[]): Promise<void>;
  /**
   * All pools as a block of the way back left them. Without a state are those that could not be read then, and those whose
   * state there is in doubt: they were read anew since, or are among `doubted`.
   */
  stateAt(
    blockNumber: bigint,
    doubted: Pick<ReadonlySet<PoolId>, "has">,
  ): { readonly header: Header; readonly pools: readonly KeptPool[] } | undefined;
  /** What is known of a pool, whether or not it can be read. */
  tracked(id: PoolId): Found | undefined;
  readonly size: number;
  ids(): readonly PoolId[];
  /** Pools that the tip's block changed, in the order of their last change. */
  touched(): readonly PoolId[];
}

/** First topics of all logs that a set of sources wants to see. */
export function topicsOf(sources: readonly LiquiditySource[]): readonly Hex[] {
  return [...new Set(sources.flatMap((source) => [...source.stateTopics, ...(source.creation?.topics ?? [])]))];
}

/** A tracker that starts at `base` with the pools in `found`, which `store` is filled with. */
export async function startPoolTracker(options: {
  readonly reader: ChainReader;
  readonly store: PoolStore;
  readonly sources: readonly LiquiditySource[];
  readonly found: readonly Found[];
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
  const tracked = createTrackedPools();
  const ring = createUndoRing(options.base, options.states === undefined, options.ringSize);
  const sleeping = createSleepingPools();
  /** The block that pools were last read anew at, beside what their logs said. */
  const readAnew = new Map<PoolId, bigint>();
  /** Pools that were read whole at the tip. */
  let readAtTip: ReadonlySet<PoolId> = new Set();
  let settled: PoolId[] = [];

  const tip = () => ring.tip.header;
  const read = (pools: readonly Found[], at: BlockRef) => readFound(reader, pools, at);

  function untrack(id: PoolId): void {
    sleeping.delete(id);
    tracked.delete(id);
  }

  /** What the logs do to the pools, without doing it: new states, pools to read anew, pools that are new. */
  async function fold(logs: readonly Log[], time: bigint, mostNew: number) {
    const states = new Map<PoolId, PoolState | undefined>();
    const unread = new Map<PoolId, Found>();
    const created: Found[] = [];
    const pause = slicing(clock);
    for (const log of logs) {
      for (const pool of announced(log, sources)) {
        if (tracked.has(pool.ref.id) || unread.has(pool.ref.id)) continue;
        if (created.length < mostNew) unread.set(pool.ref.id, pool);
        created.push(pool);
      }
      for (const pool of tracked.changedBy(log)) {
        const { id } = pool.ref;
        if (unread.has(id) || sleeping.has(id)) continue;
        const state = states.get(id) ?? store.get(id);
        const next = state === undefined ? "resync" : applied(pool.source, state, log, time);
        if (next === "resync") unread.set(id, pool);
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

  /**
   * What of a source's pools has moved without a log, for all but those that were just read. One that is listed, or had a
   * state before, and cannot be read is tried again with every block: no log would tell that it can be.
   */
  async function moved(source: LiquiditySource): Promise<readonly (readonly [PoolId, PoolState | undefined])[]> {
    if (source.refresh === undefined) return [];
    const pools: PoolState[] = [];
    const lost: PoolRef[] = [];
    for (const id of tracked.of(source)) {
      if (readAtTip.has(id) || sleeping.has(id)) continue;
      const pool = store.get(id);
      if (pool !== undefined) pools.push(pool);
      else if (source.creation === undefined || store.had(id)) lost.push(tracked.get(id)!.ref);
    }
    const [kept, found] = await Promise.all([
      pools.length === 0 ? [] : source.refresh(reader, pools, tip()),
      readPools(reader, source, lost, tip()),
    ]);
    const fresh = new Map(kept.map((pool) => [pool.id, pool]));
    const changed = pools.filter((pool) => fresh.get(pool.id) !== pool);
    return [...changed.map(({ id }) => [id, fresh.get(id)] as const), ...found];
  }

  function sleep(ids: Iterable<PoolId>): void {
    for (const id of ids) {
      const pool = tracked.get(id);
      if (pool === undefined) continue;
      sleeping.add(pool.source.id, pool.ref);
      if (store.get(id) !== undefined) store.set(id, undefined);
    }
  }

  for (const pool of options.found) tracked.add(pool);
  const awake = [...tracked.all()].filter(({ ref }) => !options.asleep?.has(ref.id));
  const states = options.states ?? (await read(awake, options.base));
  for (const [id, pool] of states) if (pool !== undefined && tracked.has(id)) store.set(id, pool);
  sleep(options.asleep ?? []);

  return {
    get tip() {
      return tip();
    },
    get oldest() {
      return ring.oldest;
    },
    get room() {
      return ring.room;
    },
    reachBack(parent, logs) {
      const changed = logs.flatMap((log) => tracked.changedBy(log).map(({ ref }) => ref.id));
      const added = logs.flatMap((log) => announced(log, sources)).map(({ ref }) => ref.id);
      const before = new Map(added.map((id) => [id, undefined]));
      ring.reachBack(parent, { before, unread: new Set(changed), added });
    },
    has: ring.has,
    hashAt: (blockNumber) => ring.at(blockNumber)?.hash,
    async apply(header, logs, { later, mostNew = Number.POSITIVE_INFINITY } = {}) {
      if (header.parentHash !== tip().hash || header.number !== tip().number + 1n)
        throw new RangeError("not the next block");
      const { states, unread, created } = await fold(logs, header.timestamp, mostNew);
      if (later === undefined) for (const [id, pool] of await read([...unread.values()], header)) states.set(id, pool);
      else {
        for (const id of unread.keys()) states.set(id, undefined);
        later([...unread.keys()]);
      }

      const before = new Map<PoolId, PoolState | undefined>();
      for (const pool of created) tracked.add(pool);
      for (const [id, pool] of states) {
        before.set(id, store.get(id));
        store.set(id, pool);
      }
      const added = created.map(({ ref }) => ref.id);
      sleep(added.slice(mostNew));
      settled.push(...ring.push(header, { before, unread: new Set(), added }));
      readAtTip = new Set(later === undefined ? unread.keys() : []);
      for (const [id, number] of readAnew) if (number <= ring.oldest.number) readAnew.delete(id);
    },
    async freshen() {
      const block = ring.tip;
      if (block.fresh) return;
      const changes = await Promise.all(sources.map(moved));
      for (const [id, pool] of changes.flat()) {
        if (!block.before.has(id)) block.before.set(id, store.get(id));
        store.set(id, pool);
      }
      block.fresh = true;
    },
    unwindTo(hash) {
      if (!ring.has(hash)) throw new RangeError(`block ${hash} is not in the undo ring`);
      const unread = new Set<PoolId>();
      while (tip().hash !== hash) {
        const { before, unread: neverRead, added } = ring.pop();
        for (const [id, pool] of before) if (!sleeping.has(id)) store.set(id, pool);
        for (const id of neverRead) if (!sleeping.has(id)) unread.add(id);
        added.forEach(untrack);
        readAtTip = new Set();
      }
      for (const [id, number] of readAnew) if (number > tip().number) unread.add(id);
      const doubtful = [...unread].filter((id) => tracked.has(id));
      for (const id of doubtful) {
        readAnew.delete(id);
        if (store.get(id) !== undefined) store.set(id, undefined);
      }
      return doubtful;
    },
    async adopt(found) {
      const fresh = found.filter(({ ref }) => !tracked.has(ref.id));
      const states = await read(fresh, tip());
      for (const pool of fresh) {
        tracked.add(pool);
        readAnew.set(pool.ref.id, tip().number);
      }
      for (const [id, pool] of states) if (pool !== undefined) store.set(id, pool);
    },
    settled() {
      const ids = settled;
      settled = [];
      return ids;
    },
    sleep,
    async wake(ids) {
      const pools = ids.flatMap((id) => (sleeping.has(id) ? (tracked.get(id) ?? []) : []));
      for (const [id, pool] of await read(pools, tip())) {
        sleeping.delete(id);
        store.set(id, pool);
        readAnew.set(id, tip().number);
      }
    },
    asleep: sleeping,
    async peek(ids) {
      const states = await read(
        ids.flatMap((id) => tracked.get(id) ?? []),
        tip(),
      );
      return [...states.values()].filter((pool) => pool !== undefined);
    },
    async resync(ids) {
      const pools = ids.flatMap((id) => (sleeping.has(id) ? [] : (tracked.get(id) ?? [])));
      for (const [id, pool] of await read(pools, tip())) {
        store.set(id, pool);
        readAnew.set(id, tip().number);
      }
    },
    stateAt(blockNumber, doubted) {
      const header = ring.at(blockNumber);
      if (header === undefined) return undefined;
      const before = new Map<PoolId, PoolState | undefined>();
      const added = new Set<PoolId>();
      for (const block of ring.above(blockNumber)) {
        for (const [id, pool] of block.before) before.set(id, pool);
        for (const id of block.unread) before.set(id, undefined);
        for (const id of block.added) added.add(id);
      }
      const pools = [...tracked.all()].flatMap(({ ref, source }): readonly KeptPool[] => {
        if (added.has(ref.id)) return [];
        const isRead = (readAnew.get(ref.id) ?? -1n) <= blockNumber && source.refresh === undefined;
        const isKnown = isRead && !doubted.has(ref.id);
        const pool = isKnown ? (before.has(ref.id) ? before.get(ref.id) : store.get(ref.id)) : undefined;
        return [{ source: source.id, ref, pool, ...(sleeping.has(ref.id) && { asleep: true as const }) }];
      });
      return { header, pools };
    },
    tracked: tracked.get,
    get size() {
      return tracked.size;
    },
    ids: () => Array.from(tracked.all(), ({ ref }) => ref.id),
    touched: () => [...ring.tip.before.keys()],
  };
}

/** A source that throws where it should have answered has met something that it does not understand: read anew. */
function applied(source: LiquiditySource, pool: PoolState, log: Log, time: bigint): PoolState | "resync" {
  try {
    return source.apply(pool, log, time);
  } catch {
    return "resync";
  }
}
