import type { Address, Hex } from "../../domain/address.ts";
import { messageOf } from "../../domain/message-of.ts";
import type { PoolId } from "../../domain/route.ts";
import type { SourceId } from "../../domain/source.ts";
import { ALL_ON, type SwitchedOff } from "../../domain/switches.ts";
import type { FeedReader } from "../../market/feed/shared-feed.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import { type Freshness, staleReason } from "../../market/market.ts";
import type { Snapshot, SourceState } from "../../market/snapshot.ts";
import type { Logger } from "../../ops/logger.ts";
import type { MarketView } from "../../quoting/ports.ts";
import { decodeEntry, type FleetEntry } from "../../snapshot/fleet-codec.ts";
import type { KeptState } from "../../snapshot/kept-state.ts";
import type { Found } from "../pools/found-pools.ts";
import type { BlockMemory } from "../rpc/block-memory.ts";
import type { Clock } from "../rpc/clock.ts";
import { FeedBlocks, HeldFeed } from "./held-feed.ts";

interface StandbyOptions {
  readonly sources: readonly LiquiditySource[];
  readonly freshness: Freshness;
  readonly memory: Pick<BlockMemory, "rewind">;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Told of each snapshot. */
  readonly tell: (snapshot: Snapshot) => void;
  /** All that is kept was told, be it a state or that there is none. */
  readonly onCaughtUp: () => void;
}

/** Delay and age of the feed that this process follows. */
export interface StandbyFigures {
  /** Milliseconds between an entry's writing and its arrival, of the last one. */
  readonly delayMs: number;
  /** Milliseconds since the last entry came; infinite: none has. */
  readonly silentMs: number;
  /** Times that a whole state was taken. */
  readonly wholes: number;
  readonly bytes: number;
}

/** A snapshot, and the entry that told it. */
interface Told {
  readonly snapshot: Snapshot;
  readonly entry: FleetEntry;
  readonly ageMs: number;
}

/** The market as another process tells it, held so that this one can go on from it. */
export class Standby implements FeedReader, Pick<MarketView, "current" | "sources"> {
  readonly #options: StandbyOptions;
  readonly #blocks = new FeedBlocks();
  #held: HeldFeed | undefined;
  /** A whole state that is still being told: until it is complete the one before holds. */
  #draft: HeldFeed | undefined;
  #newest: Snapshot | undefined;
  /** Whether the newest snapshot was there before what is told now, which may lead up to it again. */
  #isAhead = false;
  /** The last that was told, while it is not shown because an earlier snapshot is ahead of it. */
  #behind: Told | undefined;
  #confirmedAt = Number.NEGATIVE_INFINITY;
  #unavailable: string | undefined;
  #figures = { delayMs: 0, wholes: 0, bytes: 0 };
  #heardAt = Number.NEGATIVE_INFINITY;

  constructor(options: StandbyOptions) {
    this.#options = options;
  }

  get newest(): Snapshot | undefined {
    return this.#newest;
  }

  /** Tokens that no route may use by the word of who tells the feed: the same map until it changes. */
  get keptOut(): ReadonlyMap<Address, string> | undefined {
    return this.#held?.state?.keptOut;
  }

  get off(): SwitchedOff {
    return this.#held?.state?.off ?? ALL_ON;
  }

  begin(): void {
    this.#draft = new HeldFeed(this.#options.sources);
    this.#isAhead = this.#newest !== undefined;
    this.#behind = undefined;
  }

  nothing(): void {
    this.#options.onCaughtUp();
  }

  take(bytes: Uint8Array, ageMs: number): boolean {
    this.#heardAt = this.#options.clock.elapsed();
    this.#figures.delayMs = ageMs;
    this.#figures.bytes += bytes.length;
    try {
      const entry = decodeEntry(bytes);
      const follows = this.#draft === undefined ? this.#follow(entry, ageMs) : this.#fill(this.#draft, entry, ageMs);
      if (this.#behind !== undefined) this.#show(this.#behind);
      return follows;
    } catch (error) {
      this.#options.logger.error({ reason: messageOf(error) }, "the fleet's feed cannot be followed from here");
      return false;
    }
  }

  current(): ReturnType<MarketView["current"]> {
    const snapshot = this.#newest;
    if (snapshot === undefined) return { unavailable: "The market has not come from the fleet's leader yet." };
    const unavailable = this.#unavailable ?? this.#staleness(snapshot);
    return unavailable === undefined ? { snapshot } : { unavailable };
  }

  sources(): ReadonlyMap<SourceId, SourceState> {
    const snapshot = this.#newest;
    if (snapshot === undefined || this.#unavailable !== undefined) return this.#inStatus("syncing");
    return this.#staleness(snapshot) === undefined ? snapshot.sources : this.#inStatus("stale");
  }

  /** A node has named the block as its head so long ago: it holds where it is the newest. */
  confirm(blockHash: string, silentMs: number): void {
    if (this.#newest?.block.hash !== blockHash) return;
    this.#confirmedAt = Math.max(this.#confirmedAt, this.#options.clock.elapsed() - silentMs);
    this.#unavailable = undefined;
  }

  /** Answers go on from a snapshot of this process's own until the feed tells another one. */
  goOnFrom(snapshot: Snapshot, silentMs: number): void {
    this.#newest = snapshot;
    this.#unavailable = undefined;
    this.#confirmedAt = this.#options.clock.elapsed() - silentMs;
  }

  /** Whether callers have seen a later block than that of a snapshot, and may go on from it. */
  isAheadOf({ block }: Snapshot): boolean {
    const current = this.current();
    return "snapshot" in current && current.snapshot.block.number > block.number;
  }

  /** This process tells the feed itself from now on: what was told is of the past. */
  forget(): void {
    this.#held = undefined;
    this.#draft = undefined;
    this.#behind = undefined;
  }

  /** A snapshot of this process's own is shown: its block stays known when another process tells the feed. */
  noteOwn({ block }: Snapshot): void {
    this.#blocks.note(block);
  }

  kept(isCanonical: Parameters<HeldFeed["kept"]>[0]): Promise<KeptState | undefined> {
    return this.#held?.kept(isCanonical) ?? Promise.resolve(undefined);
  }

  tracked(id: PoolId): Found | undefined {
    return this.#held?.tracked(id);
  }

  canonicalHash(height: bigint): Hex | undefined {
    return this.#blocks.hashAt(height);
  }

  figures(): StandbyFigures {
    return { ...this.#figures, silentMs: this.#options.clock.elapsed() - this.#heardAt };
  }

  #staleness({ block }: Snapshot): string | undefined {
    const { clock, freshness } = this.#options;
    return staleReason(block, { freshness, silentMs: clock.elapsed() - this.#confirmedAt, nowMs: clock.now() });
  }

  #inStatus(status: "syncing" | "stale"): ReadonlyMap<SourceId, SourceState> {
    const known = this.#newest?.sources;
    return new Map(
      this.#options.sources.map(({ id }): [SourceId, SourceState] => {
        const state = known?.get(id) ?? { pools: 0, asleep: 0, status, blockNumber: 0n };
        return [id, state.status === "off" ? state : { ...state, status }];
      }),
    );
  }

  /** Takes a part of a whole state. */
  #fill(draft: HeldFeed, entry: FleetEntry, ageMs: number): boolean {
    const snapshot = draft.take(entry);
    if (snapshot === undefined) return true;
    this.#held = draft;
    this.#draft = undefined;
    this.#figures.wholes += 1;
    this.#show({ snapshot, entry, ageMs });
    this.#options.onCaughtUp();
    return true;
  }

  /** Takes an entry that follows on a whole state; answers whether it does. */
  #follow(entry: FleetEntry, ageMs: number): boolean {
    const held = this.#held;
    if (held === undefined) return false;
    if (entry.sequence === 0) {
      this.confirm(entry.blockHash, entry.silentMs + ageMs);
      return true;
    }
    if (entry.token !== held.token) return entry.token < held.token;
    const isOld = entry.sequence <= held.sequence;
    if (!isOld && entry.from !== held.sequence) return false;
    const snapshot = held.take(isOld ? { ...entry, parts: [] } : entry);
    if (snapshot !== undefined) this.#show({ snapshot, entry, ageMs });
    else if (entry.sequence === held.sequence) this.#heard(entry, ageMs);
    return true;
  }

  /** Shows a snapshot that was told, or keeps it while callers would see blocks go backwards. */
  #show(told: Told): void {
    const { snapshot, entry, ageMs } = told;
    this.#isAhead &&= this.isAheadOf(snapshot);
    this.#behind = this.#isAhead ? told : undefined;
    if (this.#isAhead) return;
    const left = this.#blocks.note(snapshot.block);
    if (left !== undefined) this.#options.memory.rewind(left);
    this.#newest = snapshot;
    this.#confirmedAt = Number.NEGATIVE_INFINITY;
    this.#heard(entry, ageMs);
    this.#options.tell(snapshot);
  }

  #heard(entry: FleetEntry, ageMs: number): void {
    this.confirm(entry.blockHash, entry.silentMs + ageMs);
    this.#unavailable = entry.unavailable;
  }
}
