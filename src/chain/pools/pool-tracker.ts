import type { Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { PoolId } from "../../domain/route.ts";
import type { ChainReader, Log } from "../../market/chain-reader.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { PoolStore } from "../../market/pool-store.ts";
import type { KeptPool } from "../../snapshot/kept-state.ts";
import type { Clock } from "../rpc/clock.ts";
import type { Header } from "../rpc/codec.ts";
import { broughtForward, changesByLogs, type HeldPools, movedWithoutLog } from "./block-changes.ts";
import { announced, type Found } from "./found-pools.ts";
import { keptPools } from "./kept-pools.ts";
import type { ReadPools } from "./read-beside.ts";
import { type PoolState, readFound } from "./read-pools.ts";
import { createSleepingPools, type SleepingPools } from "./sleeping-pools.ts";
import { createTrackedPools } from "./tracked-pools.ts";
import { createUndoRing, type UndoRing } from "./undo-history.ts";

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
  /** Takes in pools that were announced before the way back begins. Answers those whose state is to be read at the tip. */
  adopt(read: ReadPools): readonly PoolId[];
  /** Pools whose announcements can not be taken back any more, since this was asked last. */
  settled(): readonly PoolId[];
  /** Lets pools go without a state: their logs are passed over until they are woken. */
  sleep(ids: readonly PoolId[]): void;
  /** Reads sleeping pools at the tip and follows them from there. */
  wake(ids: readonly PoolId[]): Promise<void>;
  readonly asleep: Pick<SleepingPools, "size" | "has" | "ids" | "with" | "hasWith" | "count" | "next">;
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

interface TrackerOptions {
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
}

/** A tracker that starts at `base` with the pools in `found`, which `store` is filled with. */
export async function startPoolTracker(options: TrackerOptions): Promise<PoolTracker> {
  const tracker = new TrackerOfBlocks(options);
  await tracker.fill(options);
  return tracker;
}

class TrackerOfBlocks implements PoolTracker {
  readonly #reader: ChainReader;
  readonly #pools: HeldPools;
  readonly #ring: UndoRing;
  /** The block that pools were last read anew at, beside what their logs said. */
  readonly #readAnew = new Map<PoolId, bigint>();
  /** Pools that were read whole at the tip. */
  #readAtTip: ReadonlySet<PoolId> = new Set();
  #settled: PoolId[] = [];

  constructor({ reader, store, sources, clock, base, states, ringSize }: TrackerOptions) {
    this.#reader = reader;
    this.#pools = { tracked: createTrackedPools(), sleeping: createSleepingPools(), store, sources, clock };
    this.#ring = createUndoRing(base, states === undefined, ringSize);
  }

  /** Takes in the pools that are there at the base. */
  async fill({ found, asleep, base, states }: TrackerOptions): Promise<void> {
    for (const pool of found) this.#pools.tracked.add(pool);
    const awake = [...this.#pools.tracked.all()].filter(({ ref }) => !asleep?.has(ref.id));
    const known = states ?? (await this.#read(awake, base));
    for (const [id, pool] of known)
      if (pool !== undefined && this.#pools.tracked.has(id)) this.#pools.store.set(id, pool);
    this.sleep([...(asleep ?? [])]);
  }

  get tip() {
    return this.#ring.tip.header;
  }

  get oldest() {
    return this.#ring.oldest;
  }

  get room() {
    return this.#ring.room;
  }

  get size() {
    return this.#pools.tracked.size;
  }

  get asleep() {
    return this.#pools.sleeping;
  }

  has(hash: Hex): boolean {
    return this.#ring.has(hash);
  }

  hashAt(blockNumber: bigint): Hex | undefined {
    return this.#ring.at(blockNumber)?.hash;
  }

  tracked(id: PoolId): Found | undefined {
    return this.#pools.tracked.get(id);
  }

  ids(): readonly PoolId[] {
    return Array.from(this.#pools.tracked.all(), ({ ref }) => ref.id);
  }

  touched(): readonly PoolId[] {
    return [...this.#ring.tip.before.keys()];
  }

  reachBack(parent: Header, logs: readonly Log[]): void {
    const changed = logs.flatMap((log) => this.#pools.tracked.changedBy(log).map(({ ref }) => ref.id));
    const added = logs.flatMap((log) => announced(log, this.#pools.sources)).map(({ ref }) => ref.id);
    const before = new Map(added.map((id) => [id, undefined]));
    this.#ring.reachBack(parent, { before, unread: new Set(changed), added });
  }

  async apply(
    header: Header,
    logs: readonly Log[],
    { later, mostNew = Number.POSITIVE_INFINITY }: Parameters<PoolTracker["apply"]>[2] = {},
  ): Promise<void> {
    if (header.parentHash !== this.tip.hash || header.number !== this.tip.number + 1n)
      throw new RangeError("not the next block");
    const { states, unread, created } = await changesByLogs(this.#pools, logs, { time: header.timestamp, mostNew });
    if (later === undefined)
      for (const [id, pool] of await this.#read([...unread.values()], header)) states.set(id, pool);
    else {
      for (const id of unread.keys()) states.set(id, undefined);
      later([...unread.keys()]);
    }

    const before = new Map<PoolId, PoolState | undefined>();
    for (const pool of created) this.#pools.tracked.add(pool);
    for (const [id, pool] of states) {
      before.set(id, this.#pools.store.get(id));
      this.#pools.store.set(id, pool);
    }
    const added = created.map(({ ref }) => ref.id);
    this.sleep(added.slice(mostNew));
    this.#settled.push(...this.#ring.push(header, { before, unread: new Set(), added }));
    this.#readAtTip = new Set(later === undefined ? unread.keys() : []);
    for (const [id, number] of this.#readAnew) if (number <= this.oldest.number) this.#readAnew.delete(id);
  }

  async freshen(): Promise<void> {
    const block = this.#ring.tip;
    if (block.fresh) return;
    const at = { reader: this.#reader, tip: this.tip, readAtTip: this.#readAtTip };
    const changes = await Promise.all(this.#pools.sources.map((source) => movedWithoutLog(this.#pools, source, at)));
    for (const [id, pool] of changes.flat()) {
      if (!block.before.has(id)) block.before.set(id, this.#pools.store.get(id));
      this.#pools.store.set(id, pool);
    }
    block.fresh = true;
  }

  unwindTo(hash: Hex): readonly PoolId[] {
    if (!this.has(hash)) throw new RangeError(`block ${hash} is not in the undo ring`);
    const unread = new Set<PoolId>();
    while (this.tip.hash !== hash) {
      const { before, unread: neverRead, added } = this.#ring.pop();
      for (const [id, pool] of before) if (!this.#pools.sleeping.has(id)) this.#pools.store.set(id, pool);
      for (const id of neverRead) if (!this.#pools.sleeping.has(id)) unread.add(id);
      for (const id of added) this.#untrack(id);
      this.#readAtTip = new Set();
    }
    for (const [id, number] of this.#readAnew) if (number > this.tip.number) unread.add(id);
    const doubtful = [...unread].filter((id) => this.#pools.tracked.has(id));
    for (const id of doubtful) {
      this.#readAnew.delete(id);
      if (this.#pools.store.get(id) !== undefined) this.#pools.store.set(id, undefined);
    }
    return doubtful;
  }

  adopt({ found, states, since }: ReadPools): readonly PoolId[] {
    const fresh = found.filter(({ ref }) => !this.#pools.tracked.has(ref.id));
    const brought = broughtForward(fresh, states, since);
    for (const pool of fresh) this.#pools.tracked.add(pool);
    for (const { ref } of fresh) this.#readAnew.set(ref.id, this.tip.number);
    for (const [id, state] of brought.states) this.#pools.store.set(id, state);
    return brought.unknown;
  }

  settled(): readonly PoolId[] {
    const ids = this.#settled;
    this.#settled = [];
    return ids;
  }

  sleep(ids: readonly PoolId[]): void {
    for (const id of ids) {
      const pool = this.#pools.tracked.get(id);
      if (pool === undefined) continue;
      this.#pools.sleeping.add(pool.source.id, pool.ref);
      if (this.#pools.store.get(id) !== undefined) this.#pools.store.set(id, undefined);
    }
  }

  async wake(ids: readonly PoolId[]): Promise<void> {
    const states = await this.#read(this.#known(ids.filter((id) => this.#pools.sleeping.has(id))), this.tip);
    for (const id of states.keys()) this.#pools.sleeping.delete(id);
    this.#renew(states);
  }

  async peek(ids: readonly PoolId[]): Promise<readonly PoolState[]> {
    const states = await this.#read(this.#known(ids), this.tip);
    return [...states.values()].filter((pool) => pool !== undefined);
  }

  async resync(ids: readonly PoolId[]): Promise<void> {
    this.#renew(await this.#read(this.#known(ids.filter((id) => !this.#pools.sleeping.has(id))), this.tip));
  }

  stateAt(blockNumber: bigint, doubted: Pick<ReadonlySet<PoolId>, "has">): ReturnType<PoolTracker["stateAt"]> {
    const header = this.#ring.at(blockNumber);
    if (header === undefined) return undefined;
    const isDoubted = (id: PoolId) => doubted.has(id) || (this.#readAnew.get(id) ?? -1n) > blockNumber;
    return { header, pools: keptPools(this.#pools, this.#ring.above(blockNumber), isDoubted) };
  }

  #read(pools: readonly Found[], at: BlockRef): ReturnType<typeof readFound> {
    return readFound(this.#reader, pools, at);
  }

  #known(ids: readonly PoolId[]): readonly Found[] {
    return ids.flatMap((id) => this.#pools.tracked.get(id) ?? []);
  }

  /** Takes states that were read at the tip in the place of those that were held. */
  #renew(states: ReadonlyMap<PoolId, PoolState | undefined>): void {
    for (const [id, pool] of states) {
      this.#pools.store.set(id, pool);
      this.#readAnew.set(id, this.tip.number);
    }
  }

  #untrack(id: PoolId): void {
    this.#pools.sleeping.delete(id);
    this.#pools.tracked.delete(id);
  }
}
