import type { Address, Hex } from "../../domain/address.ts";
import type { BlockRef } from "../../domain/block.ts";
import type { PoolId } from "../../domain/route.ts";
import type { SourceId } from "../../domain/source.ts";
import type { LeftOut } from "../../market/eligibility.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import { CatalogFault } from "../../market/pool-catalog.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import type { KeptState } from "../../snapshot/kept-state.ts";
import { ReadBeside } from "../pools/concurrent-reads.ts";
import { bloomEntriesOf, type Found } from "../pools/found-pools.ts";
import { createPendingReads, type PendingReads } from "../pools/pending-reads.ts";
import type { PoolTracker } from "../pools/pool-tracker.ts";
import { sumUp } from "../pools/unserved-pools.ts";
import { createDemand, type Demand } from "../pools/wake-pools.ts";
import { BlockGoneError, reasonOf } from "../rpc/provider-errors.ts";
import type { SearchRange } from "../search/background-search.ts";
import type { PoolSearch } from "../search/pool-search.ts";
import { createUndoBackfill, type UndoBackfill } from "./backfill-undo.ts";
import { type Blocks, createBlocks } from "./blocks.ts";
import type { Bootstrap } from "./bootstrap.ts";
import type { Follower, FollowerOptions, FollowerStatus, Trust } from "./follower.ts";
import { bootstrapOf, poolSearchOf, publisherOf } from "./follower-parts.ts";
import { FollowingLog } from "./following-log.ts";
import { ResyncNeeded } from "./path-to-head.ts";
import { createPeriodicTask, type PeriodicTask } from "./periodic-task.ts";
import type { Publisher } from "./publisher.ts";
import { createSnapshotListeners, type SnapshotListeners } from "./snapshot-listeners.ts";
import { StepToHead } from "./step-to-head.ts";

/** Longest pause after failures, but for chains whose blocks come faster: there it is a block time. */
const MAX_BACKOFF_MS = 5_000;
/** Failures in a row on a chain of blocks that cannot be linked or read before everything is read anew. */
const FAILURES_TO_RESYNC = 12;
/** Failures in a row for want of a block that the node does not give, though it gives later ones: it never may. */
const HOLES_TO_RESYNC = 3;
/** A follower that nothing makes exit: what goes wrong is retried, and what cannot be right is read anew. */
export function createFollower(options: FollowerOptions): Follower {
  return new HeadFollower(options);
}

class HeadFollower implements Follower {
  readonly #options: FollowerOptions;
  readonly #finalityDepth: bigint;
  readonly #blocks: Blocks;
  readonly #undoBackfill: UndoBackfill;
  readonly #listeners: SnapshotListeners;
  readonly #pending: PendingReads;
  readonly #demand: Demand;
  readonly #search: PoolSearch;
  readonly #bootstrap: Bootstrap;
  readonly #beside: ReadBeside;
  readonly #publisher: Publisher;
  readonly #step: StepToHead;
  readonly #loop: PeriodicTask;
  readonly #unlisten: () => void;
  readonly #log: FollowingLog;

  #tracker: PoolTracker | undefined;
  #topics: readonly Hex[] = [];
  /** Those of the tracker. */
  #followedSources: readonly SourceId[] = [];
  #stopped = false;
  /** Whether the last turn has come to another block. */
  #isNew = false;
  #failures = 0;
  /** The latest consecutive failures that were due to a missing block. */
  #holes = 0;
  #resyncs = 0;
  #lastError: string | undefined;
  /** Why everything is to be read anew, but for what is trusted. */
  #doubt: { readonly reason: string; readonly trust: Trust } | undefined;

  constructor(options: FollowerOptions) {
    const { provider, record, market, logger, clock, proves = false } = options;
    const ringSize = Math.max(128, 2 * record.finalityDepth);
    this.#options = options;
    this.#finalityDepth = BigInt(record.finalityDepth);
    this.#log = new FollowingLog(logger, clock);
    this.#blocks = createBlocks(provider, record, { clock, proves });
    this.#undoBackfill = createUndoBackfill(this.#blocks);
    this.#listeners = createSnapshotListeners(logger);
    this.#pending = createPendingReads(market);
    this.#demand = createDemand(market);
    this.#search = poolSearchOf(options, this.#blocks);
    const parts = { blocks: this.#blocks, ringSize, later: this.#pending.later, search: this.#search };
    this.#bootstrap = bootstrapOf(options, parts);
    const wake = () => {
      if (this.#failures === 0) this.#loop.wake();
    };
    const isWorthReading = this.#demand.isWorthReading.bind(this.#demand);
    this.#beside = new ReadBeside(options.patient ?? options.reader, logger, { onRead: wake, isWorthReading });
    const isDoubted = () => this.#doubt !== undefined;
    this.#publisher = publisherOf(options, { tell: this.#listeners.tell, isDoubted });
    this.#step = new StepToHead({
      ...{ record, logger, ringSize, memory: options.memory, nodes: options.nodes, confirms: options.confirms },
      ...{ blocks: this.#blocks, pending: this.#pending, demand: this.#demand, search: this.#search },
      ...{ undoBackfill: this.#undoBackfill, publisher: this.#publisher, beside: this.#beside },
    });
    const pauseMs = options.pollIntervalMs ?? Math.min(Math.max(record.blockTimeMs / 4, 100), 2_000);
    const maxBackoffMs = Math.min(Math.max(record.blockTimeMs, 2 * pauseMs), MAX_BACKOFF_MS);
    // The next block is hardly there before three quarters of its time have passed since this one: looking costs a request.
    const pauseAfter = (tookMs: number) =>
      this.#isNew && options.pollIntervalMs === undefined ? Math.max(record.blockTimeMs * 0.75 - tookMs, 0) : pauseMs;
    this.#loop = createPeriodicTask({ turn: () => this.#turn(), pauseMs, pauseAfter, maxBackoffMs, clock });
    this.#unlisten = provider.onHeadHint(wake);
  }

  start(): void {
    this.#loop.start();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unlisten();
    await Promise.all([this.#loop.stop(), this.#search.stop()]);
    await this.#undoBackfill.settled();
  }

  status(): FollowerStatus {
    const { newest } = this.#publisher;
    return {
      phase: !this.#loop.running ? "stopped" : this.#tracker === undefined ? "syncing" : "following",
      head: newest === undefined ? undefined : blockRefOf(newest),
      lag: this.#step.lag,
      pools: this.#tracker?.size ?? 0,
      asleep: this.#tracker?.asleep.size ?? 0,
      lastError: this.#lastError,
      resyncs: this.#resyncs,
      discovery: this.#search.progress(),
    };
  }

  onSnapshot(listener: (snapshot: Snapshot) => void): () => void {
    return this.#listeners.add(listener);
  }

  repair(ids: readonly PoolId[]): void {
    this.#pending.repair(ids);
    this.#loop.wake();
  }

  want(token: Address): void {
    this.#demand.want(token);
  }

  startOver(reason: string, trust: Exclude<Trust, "states">): void {
    this.#doubt = { reason, trust: this.#doubt?.trust === "nothing" ? "nothing" : trust };
    this.#options.market.suspend(reason);
    this.#loop.wake();
  }

  savedState(): KeptState | undefined {
    if (this.#tracker === undefined || this.#doubt !== undefined) return undefined;
    return this.#stateBelow(this.#tracker, this.#finalityDepth);
  }

  searchLeft(): readonly SearchRange[] {
    return this.#search.rest();
  }

  canonicalHash(blockNumber: bigint): Hex | undefined {
    return this.#tracker?.hashAt(blockNumber);
  }

  known(): Iterable<Found> {
    return this.#tracker?.known() ?? [];
  }

  ids(): readonly PoolId[] {
    return this.#tracker?.ids() ?? [];
  }

  changed(): readonly PoolId[] {
    return this.#tracker?.changed() ?? [];
  }

  asleep(source: SourceId): number {
    return this.#tracker?.asleep.count(source) ?? 0;
  }

  unserved(source: LiquiditySource): readonly LeftOut[] {
    return sumUp(source.id, this.#tracker?.unserved(source) ?? [], this.#search.refused(source.id));
  }

  tracked(id: PoolId): Found | undefined {
    return this.#tracker?.tracked(id);
  }

  /** Goes on from where the chain is followed, or begins to; answers how often in a row that has failed. */
  async #turn(): Promise<number> {
    this.#options.nodes?.beginTurn();
    const doubt = this.#doubt;
    if (doubt !== undefined) {
      if (doubt.trust === "nothing") this.#bootstrap.forget();
      if (this.#tracker !== undefined) this.#dropTracker(doubt.reason, doubt.trust);
      this.#doubt = undefined;
    }
    const before = this.#tracker?.tip.hash;
    this.#isNew = false;
    try {
      if (this.#tracker === undefined) await this.#begin();
      else await this.#step.take(this.#tracker, this.#topics);
      this.#isNew = before !== undefined && this.#tracker?.tip.hash !== before;
      this.#log.worked(this.#failures);
      this.#failures = 0;
      this.#holes = 0;
      this.#lastError = undefined;
    } catch (error) {
      if (!this.#stopped) this.#fail(error);
    }
    return this.#failures;
  }

  async #begin(): Promise<void> {
    const { usableSources, logger } = this.#options;
    const head = await this.#blocks.latest();
    const sources = (await usableSources?.(head)) ?? this.#options.sources;
    this.#publisher.restart();
    this.#topics = bloomEntriesOf(sources);
    const tracker = await this.#bootstrap.start(sources, head, this.#topics, {
      hasHoles: this.#holes >= HOLES_TO_RESYNC,
    });
    this.#tracker = tracker;
    this.#followedSources = sources.map(({ id }) => id);
    this.#pending.later(tracker.unread());
    logger.info({ block: Number(tracker.tip.number), pools: tracker.ids().length }, "pools read, following from here");
    // Before that a pool that is known and not read yet would be taken for a new one.
    const lookThroughLists = () => this.#search.lookThroughLists(sources, (id) => this.#tracker?.isHeld(id) === true);
    await this.#step.take(tracker, this.#topics).finally(lookThroughLists);
  }

  /** Notes why a turn failed, and has everything read anew where another turn would fail for the same reason. */
  #fail(error: unknown): void {
    const { nodes } = this.#options;
    this.#failures += 1;
    this.#holes = error instanceof BlockGoneError ? this.#holes + 1 : 0;
    this.#lastError = reasonOf(error);
    this.#log.failed(this.#lastError, error, this.#failures);
    const anew = "The state of the chain is being read anew";
    if (error instanceof ResyncNeeded) {
      this.#failures = 1;
      this.#dropTracker(`${anew}: ${error.message}.`, "states");
      return;
    }
    nodes?.blame();
    if (this.#tracker === undefined) return;
    if (this.#holes > 0 && this.#holes % HOLES_TO_RESYNC === 0)
      this.#dropTracker(`${anew}: the node lacks blocks of it.`, "announcements");
    else if (this.#failures % FAILURES_TO_RESYNC === 0 && !isSilent(error))
      this.#dropTracker(`${anew}: ${this.#failures} looks at it in a row failed.`, "announcements");
  }

  /** Everything is to be read anew, but for what is trusted and what slept. `why` is a sentence for those who ask meanwhile. */
  #dropTracker(why: string, trust: Trust): void {
    const tracker = this.#tracker;
    if (tracker !== undefined && trust !== "nothing") {
      const known = tracker.tip.number - tracker.oldest.number;
      const state = this.#stateBelow(tracker, known < this.#finalityDepth ? known : this.#finalityDepth);
      if (state !== undefined) this.#bootstrap.hold(state, trust === "states");
    }
    this.#tracker = undefined;
    this.#beside.forget();
    this.#options.memory.clear();
    this.#pending.forgetUnread();
    this.#resyncs += 1;
    this.#publisher.announceRestart(why);
  }

  /** All pools as a block left them that has so many on top of it. */
  #stateBelow(pools: PoolTracker, depth: bigint): KeptState | undefined {
    const { market } = this.#options;
    // A pool in quarantine may be in it because its state is not what the chain says.
    const state = pools.stateAt(pools.tip.number - depth, market.quarantined());
    if (state === undefined) return undefined;
    const whole = {
      ...{ block: blockRefOf(state.header), tip: blockRefOf(pools.tip), pools: state.pools },
      ...{ sources: this.#followedSources, deepSince: market.deepSince() },
      ...{ searches: this.#search.rest(), refused: state.refused },
    };
    try {
      const catalog = pools.mark();
      return catalog === undefined ? whole : { ...whole, catalog };
    } catch (error) {
      // Without it pools that sleep would be missing, and nobody would know.
      if (error instanceof CatalogFault) return undefined;
      throw error;
    }
  }
}

function blockRefOf({ number, hash, parentHash, timestamp }: BlockRef): BlockRef {
  return { number, hash, parentHash, timestamp };
}

/** A node that does not answer at all says nothing against the state that is held. */
function isSilent(error: unknown): boolean {
  return error instanceof Error && error.name === "TransportError";
}
