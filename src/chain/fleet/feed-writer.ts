import { messageOf } from "../../domain/message-of.ts";
import type { PoolId } from "../../domain/route.ts";
import type { Feed } from "../../market/feed/feed.ts";
import type { FeedState } from "../../market/feed/feed-state.ts";
import { LeaseLostError, type SharedFeed } from "../../market/feed/shared-feed.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { Market } from "../../market/market.ts";
import { CatalogFault } from "../../market/pool-catalog.ts";
import type { MarketGraph } from "../../market/pool-store.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import type { Logger } from "../../ops/logger.ts";
import { createThrottle } from "../../ops/throttle.ts";
import { encodeEntry, type FleetEntry, type PoolsFound, type SourceStanding } from "../../snapshot/fleet-codec.ts";
import type { Follower } from "../blocks/follower.ts";
import type { Found } from "../pools/found-pools.ts";
import { quarantinedOf } from "../pools/unserved-pools.ts";
import { type Clock, slicing } from "../rpc/clock.ts";

/** Milliseconds between two looks at what is to be told beside updates, and between two entries at most. */
const LOOK_EVERY_MS = 100;
const TELL_EVERY_MS = 1_000;
/** Milliseconds between two lists of pools that were found since. */
const FOUND_EVERY_MS = 30_000;
/** A whole state is kept anew when those who begin would have to take more than it again, or that many entries, or so late. */
const MAX_AFTER_WHOLE = { bytes: 1_000_000, entries: 2_000, ms: 300_000 };
/** Bytes that wait to be told; with more it begins anew with a whole state, once it can. */
const MAX_WAITING_BYTES = 64_000_000;
const AGAIN_AFTER_MS = 1_000;
const BEGIN_AGAIN_MS = 20;
/** Shortest time between two log lines about one kind of trouble, ms. */
const TOLD_EVERY_MS = 60_000;
/** Pools in one entry. */
const FOUND_AT_ONCE = 1_000;

interface WriterOptions {
  readonly shared: Pick<SharedFeed, "append" | "keepWhole">;
  /** The feed that this process publishes its market to. */
  readonly feed: Pick<Feed, "follow">;
  /** Publishes the market to it where it is shown otherwise than it was published last. */
  readonly renew: () => void;
  readonly follower: Pick<Follower, "known" | "searchLeft" | "unserved">;
  readonly market: Pick<Market, "current" | "sources" | "silentMs" | "pools" | "deepSince" | "quarantined">;
  readonly sources: readonly LiquiditySource[];
  readonly isOff: (source: string) => boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Tells a fleet what one process's following of the chain comes to, under one lease. */
export class FeedWriter {
  readonly #options: WriterOptions;
  readonly #token: number;
  readonly #sourceStates = new WeakMap<MarketGraph, readonly SourceStanding[]>();
  #lastStanding: readonly SourceStanding[] = [];
  /** Pools that were told to those who follow. */
  #found = new Set<PoolId>();
  #isOver = false;
  #shown: Snapshot | undefined;
  #unfollow: (() => void) | undefined;
  #timer: (() => void) | undefined;
  #writing: Promise<unknown> = Promise.resolve();
  #waitingBytes = 0;
  /** Last published entry and its time. */
  #last = { sequence: 0, blockHash: "", unavailable: undefined as string | undefined, at: 0, foundAt: 0 };
  /** Entries since the whole state, by their numbers. */
  #ids = new Map<number, string>();
  #sinceWhole = { bytes: 0, entries: 0, at: 0, wholeBytes: 0 };

  readonly #mayLog: (kind: string) => boolean;

  constructor(token: number, options: WriterOptions) {
    this.#token = token;
    this.#options = options;
    this.#mayLog = createThrottle(TOLD_EVERY_MS, options.clock.elapsed);
    this.#look();
  }

  get token(): number {
    return this.#token;
  }

  /** A snapshot that the feed is about to tell. The first one begins it. */
  note(snapshot: Snapshot): void {
    const { market, follower, sources } = this.#options;
    const standing = sources.flatMap((source): SourceStanding[] => {
      const state = snapshot.sources.get(source.id);
      if (state === undefined) return [];
      const { pools, asleep, reason } = state;
      const unserved = [...follower.unserved(source), ...quarantinedOf(source.id, market)];
      return [{ id: source.id, pools, asleep, withheld: market.pools.countWithheld(source.id), off: reason, unserved }];
    });
    this.#sourceStates.set(snapshot.graph, standing);
    this.#lastStanding = standing;
    const isFirst = this.#shown === undefined;
    this.#shown = snapshot;
    if (isFirst) this.#begin();
  }

  stop(): void {
    this.#isOver = true;
    this.#unfollow?.();
    this.#timer?.();
  }

  /** Resolves when nothing waits to be told. */
  settled(): Promise<unknown> {
    return this.#writing;
  }

  #begin(): void {
    if (this.#isOver || this.#shown === undefined) return;
    let bytes: Uint8Array[] = [];
    let isWhole = true;
    this.#unfollow?.();
    this.#unfollow = this.#options.feed.follow((part, { state, from, isLast }) => {
      bytes.push(part);
      if (!isLast) return;
      const parts = bytes;
      bytes = [];
      // The feed may not have come to what was noted: it begins there, and not with what another lease told.
      if (isWhole && !this.#sourceStates.has(state.market.graph)) {
        this.#options.clock.after(BEGIN_AGAIN_MS, () => this.#begin());
        this.#unfollow?.();
        return;
      }
      if (isWhole) void this.#keepWhole(state, parts);
      else this.#append(state, from, parts);
      isWhole = false;
    });
  }

  #entry(entry: Partial<FleetEntry> = {}): FleetEntry {
    const { sequence, blockHash } = this.#last;
    return { token: this.#token, sequence, from: 0, parts: [], blockHash, silentMs: 0, sources: [], ...entry };
  }

  #stateEntry({ sequence, market }: FeedState, more: Partial<FleetEntry>): FleetEntry {
    const sources = this.#sourceStates.get(market.graph) ?? this.#lastStanding;
    return this.#entry({ sequence, blockHash: market.block.hash, sources, silentMs: this.#silentMs(), ...more });
  }

  #append(state: FeedState, from: number, parts: readonly Uint8Array[]): void {
    this.#last = { ...this.#last, sequence: state.sequence, blockHash: state.market.block.hash };
    this.#write(encodeEntry(this.#stateEntry(state, { from, parts })), state.sequence);
    const { bytes, entries, at, wholeBytes } = this.#sinceWhole;
    const most = Math.max(wholeBytes, MAX_AFTER_WHOLE.bytes);
    const isLate = this.#options.clock.elapsed() - at > MAX_AFTER_WHOLE.ms;
    if (bytes > most || entries > MAX_AFTER_WHOLE.entries || isLate) this.#renewWhole();
  }

  /** Keeps the newest state whole while updates go on: each of those stands after it, or is passed over by its number. */
  #renewWhole(): void {
    this.#sinceWhole = { ...this.#sinceWhole, bytes: 0, entries: 0, at: this.#options.clock.elapsed() };
    const bytes: Uint8Array[] = [];
    const end = this.#options.feed.follow((part, { state, isLast }) => {
      bytes.push(part);
      if (!isLast) return;
      end();
      void this.#keepWhole(state, bytes);
    });
  }

  async #keepWhole(state: FeedState, parts: readonly Uint8Array[]): Promise<void> {
    const isFirst = this.#last.sequence === 0;
    if (isFirst) this.#last = { ...this.#last, sequence: state.sequence, blockHash: state.market.block.hash };
    const entries: Uint8Array[] = [];
    const told = this.#queue(async () => {
      const known = new Set<PoolId>();
      for await (const found of this.#foundSince(known)) entries.push(encodeEntry(this.#entry({ found })));
      for (const part of parts) entries.push(encodeEntry(this.#stateEntry(state, { parts: [part] })));
      const older = [...this.#ids].filter(([sequence]) => sequence <= state.sequence).at(-1)?.[1];
      await this.#options.shared.keepWhole(this.#token, entries, older);
      // Those who follow already take a first one, and none after it.
      if (isFirst) this.#found = known;
      this.#ids = new Map([...this.#ids].filter(([sequence]) => sequence >= state.sequence));
      const wholeBytes = entries.reduce((sum, { length }) => sum + length, 0);
      this.#sinceWhole = { bytes: 0, entries: 0, at: this.#options.clock.elapsed(), wholeBytes };
    });
    // Those who followed another lease's feed learn by this that there is a whole state of this one.
    if (isFirst) this.#write(encodeEntry(this.#stateEntry(state, {})), state.sequence);
    await told;
  }

  /** Tells an entry after those before it. */
  #write(entry: Uint8Array, sequence: number): void {
    this.#last.at = this.#options.clock.elapsed();
    this.#waitingBytes += entry.length;
    if (this.#waitingBytes > MAX_WAITING_BYTES) this.#fail(new Error("what is to be told waits too long"));
    const told = this.#queue(async () => {
      const id = await this.#options.shared.append(this.#token, entry);
      this.#ids.set(sequence, id);
      this.#sinceWhole.bytes += entry.length;
      this.#sinceWhole.entries += 1;
    });
    void told.then(() => {
      this.#waitingBytes -= entry.length;
    });
  }

  /** Nothing of the queue is told once something before it could not be. */
  #queue(work: () => Promise<void>): Promise<unknown> {
    const following = this.#unfollow;
    this.#writing = this.#writing
      .then(() => (this.#isOver || this.#unfollow !== following ? undefined : work()))
      .catch((error) => this.#fail(error));
    return this.#writing;
  }

  #fail(error: unknown): void {
    const { clock, logger } = this.#options;
    if (this.#isOver || this.#unfollow === undefined) return;
    logger.warn({ reason: messageOf(error), token: this.#token }, "the market could not be told to the fleet");
    this.#unfollow();
    this.#unfollow = undefined;
    this.#ids.clear();
    this.#last = { ...this.#last, sequence: 0 };
    if (!(error instanceof LeaseLostError)) clock.after(AGAIN_AFTER_MS, () => this.#begin());
  }

  /** Tells that the block still holds, or that nothing may be quoted. */
  #look(): void {
    if (this.#isOver) return;
    const { clock, market, renew } = this.#options;
    renew();
    const current = market.current();
    const unavailable = "unavailable" in current ? current.unavailable : undefined;
    const mayLog = unavailable !== this.#last.unavailable;
    if (mayLog || clock.elapsed() - this.#last.at >= TELL_EVERY_MS) this.#tell(current, unavailable);
    if (clock.elapsed() - this.#last.foundAt >= FOUND_EVERY_MS && this.#last.sequence > 0) void this.#publishFound();
    this.#timer = clock.after(LOOK_EVERY_MS, () => this.#look());
  }

  #tell(current: ReturnType<Market["current"]>, unavailable: string | undefined): void {
    this.#last.unavailable = unavailable;
    const isTelling = this.#last.sequence > 0;
    const blockHash = isTelling ? this.#last.blockHash : "snapshot" in current ? current.snapshot.block.hash : "";
    const entry = this.#entry({ blockHash, silentMs: this.#silentMs(), ...(isTelling && { unavailable }) });
    this.#write(encodeEntry(entry), this.#last.sequence);
  }

  async #publishFound(): Promise<void> {
    try {
      for await (const found of this.#foundSince(this.#found))
        this.#write(encodeEntry(this.#entry({ found })), this.#last.sequence);
    } catch (error) {
      this.#fail(error);
    }
  }

  /**
   * Pools that are not among `known`, which they are added to once they were taken: at least one list. A little at a time. The
   * last list counts for whoever goes on from there: where pools are missing, it says that no source was searched.
   */
  async *#foundSince(known: Set<PoolId>): AsyncGenerator<PoolsFound> {
    const { follower, market, sources, isOff, clock } = this.#options;
    this.#last.foundAt = clock.elapsed();
    const told = {
      ...{ upTo: this.#shown?.block.number ?? 0n, deepSince: market.deepSince() },
      ...{ sources: sources.flatMap(({ id }) => (isOff(id) ? [] : [id])), searches: follower.searchLeft() },
    };
    const pause = slicing(clock);
    let pools: PoolsFound["pools"][number][] = [];
    const taken = () => {
      for (const { ref } of pools) known.add(ref.id);
      pools = [];
    };
    const walk = { isWhole: true };
    for (const { ref, source } of this.#readable(walk)) {
      const turn = pause();
      if (turn !== undefined) await turn;
      if (known.has(ref.id)) continue;
      pools.push({ source: source.id, ref, pool: undefined });
      if (pools.length < FOUND_AT_ONCE) continue;
      yield { ...told, pools };
      taken();
    }
    yield { ...told, ...(!walk.isWhole && { sources: [], searches: [] }), pools };
    taken();
  }

  /** All pools, as far as the catalog can be read: those that are followed in any case. */
  *#readable(walk: { isWhole: boolean }): Generator<Found> {
    try {
      yield* this.#options.follower.known();
    } catch (error) {
      if (!(error instanceof CatalogFault)) throw error;
      walk.isWhole = false;
      if (this.#mayLog(error.message))
        this.#options.logger.error({ reason: error.message }, "pools that sleep cannot be told to the fleet");
    }
  }

  #silentMs(): number {
    const silentMs = this.#options.market.silentMs();
    return Number.isFinite(silentMs) ? silentMs : 86_400_000;
  }
}
