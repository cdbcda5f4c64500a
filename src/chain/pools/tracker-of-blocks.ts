import type { Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { PoolId } from "../../domain/route.ts";
import type { ChainReader, Log } from "../../market/chain-reader.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { CatalogMark } from "../../market/pool-catalog.ts";
import type { Header } from "../rpc/codec.ts";
import { AwaitedStates } from "./awaited-states.ts";
import { caughtUp, changesByLogs, type HeldPools, movedWithoutLog } from "./block-changes.ts";
import type { ReadPools } from "./concurrent-reads.ts";
import { announced, type Found, refused } from "./found-pools.ts";
import { keptPools, knownOf, knownPools, sleptPool } from "./kept-pools.ts";
import type { PoolTracker } from "./pool-tracker.ts";
import { type PoolState, readFound } from "./read-pools.ts";
import { SleepingPools } from "./sleeping-pools.ts";
import { createTrackedPools } from "./tracked-pools.ts";
import type { TrackerOptions } from "./tracker-options.ts";
import { createUndoRing, type UndoRing } from "./undo-history.ts";
import { type RefusedCount, RefusedCounts, type Unserved, unservedOf } from "./unserved-pools.ts";

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
  readonly #awaited: AwaitedStates;
  readonly #refused: RefusedCounts;

  constructor({ reader, store, sources, clock, base, states, ringSize, refused, ...options }: TrackerOptions) {
    this.#reader = reader;
    this.#refused = new RefusedCounts(refused);
    const sleeping = new SleepingPools({ catalog: options.catalog, clock, onFault: options.onCatalogFault });
    this.#pools = { tracked: createTrackedPools(), sleeping, store, sources, clock, told: new Map() };
    this.#awaited = new AwaitedStates(this.#pools);
    this.#ring = createUndoRing(base, states === undefined, ringSize);
  }

  /** Takes in the pools that are there at the base, and lets those sleep that are to. */
  async fill({ found, asleep, base, states, later, terms }: TrackerOptions): Promise<void> {
    const { tracked, store, sleeping, sources } = this.#pools;
    for (const pool of found) if (!asleep?.has(pool.ref.id)) tracked.add(pool);
    const ofSources = terms ?? new Map(sources.map(({ id }) => [id, ""]));
    await sleeping.begin(ofSources, (id) => tracked.has(id));
    await sleeping.add(found.filter(({ ref }) => !tracked.has(ref.id)).map(knownOf));
    const awake = Array.from(tracked.all(), ({ ref }) => ref.id);
    sleeping.wake(awake.filter((id) => sleeping.has(id)));
    const known = states ?? (await this.#read([...tracked.all()], base));
    for (const [id, pool] of known) if (pool !== undefined && tracked.has(id)) store.set(id, pool);
    this.#awaited.begin(later, base);
  }

  get tip() {
    return this.#ring.tip.header;
  }

  get oldest() {
    return this.#ring.oldest;
  }

  get capacityLeft() {
    return this.#ring.capacityLeft;
  }

  get size() {
    return this.#pools.tracked.size + this.#pools.sleeping.size;
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
    return this.#pools.tracked.get(id) ?? sleptPool(this.#pools, id);
  }

  known(): Iterable<Found> {
    return knownPools(this.#pools);
  }

  mark(): CatalogMark | undefined {
    return this.#pools.sleeping.mark();
  }

  ids(): readonly PoolId[] {
    return Array.from(this.#pools.tracked.all(), ({ ref }) => ref.id);
  }

  unread(): readonly PoolId[] {
    const { store } = this.#pools;
    return this.ids().filter((id) => store.get(id) === undefined && !this.#awaited.has(id));
  }

  changed(): readonly PoolId[] {
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
    const changes = await changesByLogs(this.#pools, logs, { time: header.timestamp, mostNew });
    const { states, created, refused } = changes;
    const unread = this.#awaited.toRead(header, changes.unread);
    if (later === undefined)
      for (const [id, pool] of await this.#read([...unread.values()], header)) states.set(id, pool);
    else {
      for (const id of unread.keys()) states.set(id, undefined);
      later([...unread.keys()]);
    }

    const before = new Map<PoolId, PoolState | undefined>();
    for (const pool of created.slice(0, mostNew)) this.#pools.tracked.add(pool);
    this.#pools.sleeping.hold(created.slice(mostNew).map(knownOf));
    for (const [id, pool] of states) {
      before.set(id, this.#pools.store.get(id));
      this.#pools.store.set(id, pool);
    }
    const added = created.map(({ ref }) => ref.id);
    this.#refused.addAll(refused);
    const settled = this.#ring.push(header, { before, unread: new Set(), added, refused });
    this.#pools.sleeping.settle(settled);
    this.#settled.push(...settled);
    this.#readAtTip = new Set(later === undefined ? unread.keys() : []);
    this.#renew(this.#awaited.take(header));
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
      for (const [id, pool] of before) if (this.#pools.tracked.has(id)) this.#pools.store.set(id, pool);
      for (const id of neverRead) if (this.#pools.tracked.has(id)) unread.add(id);
      this.#untrack(added);
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
    const brought = caughtUp(fresh, states, since);
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

  async sleep(ids: readonly PoolId[]): Promise<void> {
    await this.keep(ids.flatMap((id) => this.#pools.tracked.get(id) ?? []));
  }

  async keep(pools: readonly Found[]): Promise<void> {
    await this.#pools.sleeping.add(pools.map(knownOf));
    for (const { ref } of pools) {
      if (this.#pools.store.get(ref.id) !== undefined) this.#pools.store.set(ref.id, undefined);
      this.#pools.told.delete(ref.id);
      this.#pools.tracked.delete(ref.id);
    }
  }

  async wake(ids: readonly PoolId[]): Promise<void> {
    const pools = ids.flatMap((id) => sleptPool(this.#pools, id) ?? []);
    const states = await this.#read(pools, this.tip);
    for (const pool of pools) this.#pools.tracked.add(pool);
    // Those of a source that is off are looked for no more, until the next start.
    this.#pools.sleeping.wake(ids);
    this.#renew(states);
  }

  async peek(ids: readonly PoolId[]): Promise<readonly PoolState[]> {
    const states = await this.#read(this.#known(ids), this.tip);
    return [...states.values()].filter((pool) => pool !== undefined);
  }

  async resync(ids: readonly PoolId[]): Promise<void> {
    this.#renew(
      await this.#read(
        ids.flatMap((id) => this.#pools.tracked.get(id) ?? []),
        this.tip,
      ),
    );
  }

  stateAt(blockNumber: bigint, doubted: Pick<ReadonlySet<PoolId>, "has">): ReturnType<PoolTracker["stateAt"]> {
    const header = this.#ring.at(blockNumber);
    if (header === undefined) return undefined;
    const readSince = (id: PoolId) => (this.#readAnew.get(id) ?? -1n) > blockNumber;
    const since = this.#ring.above(blockNumber);
    const refused = this.#refused.without(since.flatMap((block) => block.refused));
    return { header, pools: keptPools(this.#pools, since, { isDoubted: (id) => doubted.has(id), readSince }), refused };
  }

  isHeld(id: PoolId): boolean {
    const { tracked, sleeping, store } = this.#pools;
    return tracked.has(id) ? store.get(id) !== undefined : sleeping.has(id);
  }

  unserved(source: LiquiditySource): readonly Unserved[] {
    return unservedOf(source, this.#pools, this.#refused);
  }

  #read(pools: readonly Found[], at: BlockRef): ReturnType<typeof readFound> {
    return readFound({ reader: this.#reader, told: this.#pools.told }, pools, at);
  }

  #known(ids: readonly PoolId[]): readonly Found[] {
    return ids.flatMap((id) => this.tracked(id) ?? []);
  }

  /** Takes states that were read at the tip in the place of those that were held. */
  #renew(states: ReadonlyMap<PoolId, PoolState | undefined>): void {
    for (const [id, pool] of states) {
      this.#pools.store.set(id, pool);
      this.#readAnew.set(id, this.tip.number);
    }
  }

  #untrack(ids: readonly PoolId[]): void {
    if (ids.length === 0) return;
    for (const id of ids) {
      this.#pools.told.delete(id);
      this.#pools.tracked.delete(id);
    }
    this.#pools.sleeping.remove(ids);
  }
}
