import type { Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { PoolId } from "../../domain/route.ts";
import type { ChainReader, Log } from "../../market/chain-reader.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { PoolStore } from "../../market/pool-store.ts";
import type { Clock } from "../rpc/clock.ts";
import type { Header } from "../rpc/codec.ts";
import { broughtForward, changesByLogs, type HeldPools, movedWithoutLog } from "./block-changes.ts";
import { announced, type Found, refused } from "./found-pools.ts";
import { keptPools } from "./kept-pools.ts";
import type { PoolTracker } from "./pool-tracker.ts";
import type { ReadPools } from "./read-beside.ts";
import { type PoolState, readFound } from "./read-pools.ts";
import { createSleepingPools } from "./sleeping-pools.ts";
import { createTrackedPools } from "./tracked-pools.ts";
import { createUndoRing, type UndoRing } from "./undo-history.ts";
import { type RefusedCount, RefusedCounts, type Unserved, unservedOf } from "./unserved-pools.ts";

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
  /** Pools that were announced up to `base` and are not served. */
  readonly refused?: readonly RefusedCount[];
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
  readonly #refused: RefusedCounts;

  constructor({ reader, store, sources, clock, base, states, ringSize, refused }: TrackerOptions) {
    this.#reader = reader;
    this.#refused = new RefusedCounts(refused);
    const sleeping = createSleepingPools();
    this.#pools = { tracked: createTrackedPools(), sleeping, store, sources, clock, told: new Map() };
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
    const notServed = logs.flatMap((log) => refused(log, this.#pools.sources));
    this.#ring.reachBack(parent, { before, unread: new Set(changed), added, refused: notServed });
  }

  async apply(
    header: Header,
    logs: readonly Log[],
    { later, mostNew = Number.POSITIVE_INFINITY }: Parameters<PoolTracker["apply"]>[2] = {},
  ): Promise<void> {
    if (header.parentHash !== this.tip.hash || header.number !== this.tip.number + 1n)
      throw new RangeError("not the next block");
    const { states, unread, created, refused } = await changesByLogs(this.#pools, logs, {
      time: header.timestamp,
      mostNew,
    });
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
    this.#refused.addAll(refused);
    this.#settled.push(...this.#ring.push(header, { before, unread: new Set(), added, refused }));
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
      const { before, unread: neverRead, added, refused } = this.#ring.pop();
      this.#refused.addAll(refused, -1);
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

  adopt({ found, states, told, since }: ReadPools): readonly PoolId[] {
    const fresh = found.filter(({ ref }) => !this.isHeld(ref.id));
    const brought = broughtForward(fresh, states, since);
    for (const pool of fresh) {
      const { id } = pool.ref;
      this.#pools.tracked.add(pool);
      this.#readAnew.set(id, this.tip.number);
      const reason = told.get(id);
      if (reason === undefined) this.#pools.told.delete(id);
      else this.#pools.told.set(id, reason);
    }
    for (const [id, state] of brought.states) this.#pools.store.set(id, state);
    return brought.unknown;
  }

  refuse(counts: readonly RefusedCount[]): void {
    this.#refused.addCounts(counts);
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
    const since = this.#ring.above(blockNumber);
    const refused = this.#refused.without(since.flatMap((block) => block.refused));
    return { header, pools: keptPools(this.#pools, since, isDoubted), refused };
  }

  isHeld(id: PoolId): boolean {
    const { tracked, sleeping, store } = this.#pools;
    return tracked.has(id) && (sleeping.has(id) || store.get(id) !== undefined);
  }

  unserved(source: LiquiditySource): readonly Unserved[] {
    return unservedOf(source, this.#pools, this.#refused);
  }

  #read(pools: readonly Found[], at: BlockRef): ReturnType<typeof readFound> {
    return readFound({ reader: this.#reader, told: this.#pools.told }, pools, at);
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
    this.#pools.told.delete(id);
    this.#pools.sleeping.delete(id);
    this.#pools.tracked.delete(id);
  }
}
