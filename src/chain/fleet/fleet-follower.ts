import type { Address, Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import { messageOf } from "../../domain/message-of.ts";
import type { PoolId } from "../../domain/route.ts";
import type { SourceId } from "../../domain/source.ts";
import type { LeftOut } from "../../market/eligibility.ts";
import type { SharedFeed } from "../../market/feed/shared-feed.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { Market } from "../../market/market.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import type { Logger } from "../../ops/logger.ts";
import type { MarketFeed } from "../../quoting/ports.ts";
import type { KeptState } from "../../snapshot/kept-state.ts";
import type { Follower, FollowerStatus, Trust } from "../blocks/follower.ts";
import { createSnapshotListeners, type SnapshotListeners } from "../blocks/snapshot-listeners.ts";
import type { Found } from "../pools/found-pools.ts";
import type { SearchRange } from "../search/background-search.ts";
import type { FeedWriter } from "./feed-writer.ts";
import type { Standby } from "./standby.ts";

/** Longest wait at start-up for the fleet's kept state before this process would follow the chain itself, ms. */
const FIRST_LOOK_MS = 5_000;

/** Role and counters of one process in its fleet. */
export interface FleetFigures {
  readonly role: "leading" | "following";
  /** Fencing token of the lease that this process holds; 0: none. */
  readonly token: number;
  /** Times that it began to lead. */
  readonly led: number;
}

interface FleetOptions {
  readonly shared: SharedFeed;
  readonly standby: Standby;
  readonly market: Market;
  /** A follower of the chain that goes on from what is loaded, until it is stopped. */
  readonly create: (loadState: () => Promise<KeptState | undefined>) => Follower;
  /** Loads the state that this process kept itself. */
  readonly loadKept: (() => Promise<KeptState | undefined>) | undefined;
  readonly writer: (token: number) => FeedWriter;
  /** Whether a block is on the chain by the node's word. @throws what the node failed with */
  readonly isCanonical: (block: BlockRef) => Promise<boolean>;
  /** Whether it may follow the chain at all. */
  readonly mayLead: boolean;
  readonly logger: Logger;
}

/**
 * Follows the chain while this process holds its fleet's lease, and what the holder tells otherwise. Answers never wait for
 * the change: they go on from the last block that was told until the first one of its own is there.
 */
export class FleetFollower implements Follower {
  readonly #options: FleetOptions;
  readonly #led: SnapshotListeners;
  readonly #shown: SnapshotListeners;
  #inner: Follower | undefined;
  #writer: FeedWriter | undefined;
  /** Whether answers are given from this process's own following. */
  #isOwnShown = false;
  /** The state at the end of the last own following, until the fleet has told another. */
  #lastOwn: KeptState | undefined;
  #times = 0;
  #ends: (() => void)[] = [];
  #changing: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(options: FleetOptions) {
    this.#options = options;
    this.#led = createSnapshotListeners(options.logger);
    this.#shown = createSnapshotListeners(options.logger);
  }

  /** The market that answers are given from. */
  get market(): Pick<MarketFeed, "current" | "sources" | "onSnapshot"> {
    const { market, standby } = this.#options;
    const source = () => {
      if (this.#isOwnShown || (this.#inner !== undefined && standby.newest === undefined)) return market;
      const own = this.#inner?.status().head;
      if (own !== undefined) standby.confirm(own.hash, market.silentMs());
      return standby;
    };
    return {
      current: () => source().current(),
      sources: () => source().sources(),
      onSnapshot: (listener) => this.#shown.add(listener),
    };
  }

  get isLeading(): boolean {
    return this.#inner !== undefined;
  }

  /** A snapshot of the feed is there: standby calls this. */
  readonly told = (snapshot: Snapshot): void => {
    this.#lastOwn = undefined;
    this.#shown.tell(snapshot);
  };

  /** The newest block is shown otherwise than before: pools were hidden, or taxes measured. */
  readonly renewed = (snapshot: Snapshot): void => {
    if (this.#isOwnShown) this.#writer?.note(snapshot);
  };

  /** All that the fleet keeps was told once: now this process can lead. */
  readonly caughtUp = (): void => this.#options.shared.compete(this.#options.mayLead && !this.#isOver);

  start(): void {
    const { shared, standby } = this.#options;
    const follow = shared.follow(standby);
    const timer = setTimeout(this.caughtUp, FIRST_LOOK_MS);
    timer.unref();
    this.#ends = [follow, shared.onLease(() => this.#change()), () => clearTimeout(timer)];
    this.#change();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    this.#options.shared.compete(false);
    for (const end of this.#ends.splice(0)) end();
    await this.#changing;
    this.#writer?.stop();
    await this.#inner?.stop();
  }

  status(): FollowerStatus {
    const { standby } = this.#options;
    const inner = this.#inner?.status();
    const head = standby.newest?.block;
    if (inner !== undefined) return { ...inner, ...(!this.#isOwnShown && head && { head }) };
    const sources = [...(standby.newest?.sources.values() ?? [])];
    const sum = (count: (each: (typeof sources)[number]) => number) => sources.reduce((n, each) => n + count(each), 0);
    return {
      phase: this.#isOver ? "stopped" : head === undefined ? "syncing" : "following",
      ...{ head, lag: 0n, lastError: undefined, resyncs: 0, discovery: undefined },
      ...{ pools: sum(({ pools, asleep }) => pools + asleep), asleep: sum(({ asleep }) => asleep) },
    };
  }

  figures(): FleetFigures {
    const { lease } = this.#options.shared;
    const token = lease.state === "held" ? lease.token : 0;
    return { role: this.#inner === undefined ? "following" : "leading", token, led: this.#times };
  }

  /** Those of its own following alone: they are audited. */
  onSnapshot(listener: (snapshot: Snapshot) => void): () => void {
    return this.#led.add(listener);
  }

  repair(ids: readonly PoolId[]): void {
    this.#inner?.repair(ids);
  }

  want(token: Address): void {
    this.#inner?.want(token);
  }

  startOver(reason: string, trust: Exclude<Trust, "states">): void {
    this.#inner?.startOver(reason, trust);
  }

  savedState(): KeptState | undefined {
    return this.#inner?.savedState();
  }

  searchLeft(): readonly SearchRange[] {
    return this.#inner?.searchLeft() ?? [];
  }

  canonicalHash(blockNumber: bigint): Hex | undefined {
    return this.#inner?.canonicalHash(blockNumber) ?? this.#options.standby.canonicalHash(blockNumber);
  }

  known(): Iterable<Found> {
    return this.#inner?.known() ?? [];
  }

  ids(): readonly PoolId[] {
    return this.#inner?.ids() ?? [];
  }

  changed(): readonly PoolId[] {
    return this.#inner?.changed() ?? [];
  }

  unserved(source: LiquiditySource): readonly LeftOut[] {
    return this.#inner?.unserved(source) ?? [];
  }

  asleep(source: SourceId): number {
    return this.#inner?.asleep(source) ?? 0;
  }

  tracked(id: PoolId): Found | undefined {
    return this.#inner?.tracked(id) ?? this.#options.standby.tracked(id);
  }

  /** Does what the lease says, one change after the other. */
  #change(): void {
    this.#changing = this.#changing
      .then(() => this.#follow())
      .catch((error) => this.#options.logger.error({ err: error }, "a change of the fleet's leader failed"));
  }

  async #follow(): Promise<void> {
    const { lease } = this.#options.shared;
    if (this.#isOver) return;
    if (lease.state === "held" && this.#inner === undefined) this.#lead(lease.token);
    else if (lease.state === "held" && this.#writer?.token !== lease.token) this.#write(lease.token);
    else if (lease.state === "elsewhere" && this.#inner !== undefined) await this.#stepDown(this.#inner);
  }

  #lead(token: number): void {
    const { create, logger, standby } = this.#options;
    logger.info({ token, block: Number(standby.newest?.block.number ?? 0n) }, "this process follows the chain now");
    this.#times += 1;
    this.#ends.shift()?.();
    this.#write(token);
    const inner = create(() => this.#load());
    this.#inner = inner;
    // A step that is under way while this process steps down ends later: nobody is told what it leads to.
    inner.onSnapshot((snapshot) => {
      if (this.#inner === inner) this.#take(snapshot);
    });
    inner.start();
  }

  #write(token: number): void {
    this.#writer?.stop();
    this.#writer = this.#options.writer(token);
    const current = this.#options.market.current();
    if (this.#isOwnShown && "snapshot" in current) this.#writer.note(current.snapshot);
  }

  async #load(): Promise<KeptState | undefined> {
    const { standby, isCanonical, loadKept } = this.#options;
    return (await standby.kept(isCanonical)) ?? this.#lastOwn ?? (await loadKept?.());
  }

  /** A snapshot of its own. The first one shown is of a block after those that the fleet has told: callers have seen these. */
  #take(snapshot: Snapshot): void {
    const { standby } = this.#options;
    this.#led.tell(snapshot);
    if (!this.#isOwnShown) {
      if (standby.newest?.block.hash === snapshot.block.hash || standby.isAheadOf(snapshot)) return;
      standby.forget();
    }
    this.#isOwnShown = true;
    standby.noteOwn(snapshot);
    this.#shown.tell(snapshot);
    this.#writer?.note(snapshot);
  }

  async #stepDown(inner: Follower): Promise<void> {
    const { logger, market, shared, standby } = this.#options;
    logger.warn("another process follows the chain now: this one applies what it tells");
    this.#writer?.stop();
    this.#writer = undefined;
    const current = market.current();
    if (this.#isOwnShown) {
      this.#lastOwn = inner.savedState();
      if ("snapshot" in current) standby.goOnFrom(current.snapshot, market.silentMs());
    }
    this.#isOwnShown = false;
    this.#inner = undefined;
    this.#ends.unshift(shared.follow(standby));
    await inner.stop().catch((error) => logger.error({ reason: messageOf(error) }, "following the chain did not end"));
  }
}
