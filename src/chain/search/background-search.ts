import { messageOf } from "../../domain/message-of.ts";
import type { SourceId } from "../../domain/source.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { Logger } from "../../ops/logger.ts";
import { createThrottle } from "../../ops/throttle.ts";
import type { ChainRecord } from "../chains/chain-record.ts";
import type { Found } from "../pools/found-pools.ts";
import { type RefusedCount, RefusedCounts } from "../pools/unserved-pools.ts";
import { type Clock, sleep } from "../rpc/clock.ts";
import type { Header } from "../rpc/codec.ts";
import { isPruned, reasonOf } from "../rpc/provider-errors.ts";
import { type DiscoveryProgress, discover } from "./discovery.ts";
import { oldestBlockServed } from "./oldest-history.ts";

/** Blocks whose logs are still to be searched for pools of some sources, first and last. */
export interface SearchRange {
  readonly sources: readonly SourceId[];
  readonly next: bigint;
  readonly to: bigint;
}

/** A search for pools that goes on while the chain is followed. What fails is tried again, for ever. */
export interface BackgroundSearch {
  /** The next pools that were found, at most so many. They stay until they are dropped. */
  peek(most: number): readonly Found[];
  /** So many of the next pools were taken. Answers how many were announced in the blocks done with that are not served. */
  drop(count: number): readonly RefusedCount[];
  /** Ranges left for a later run; all pools outside them were taken. */
  rest(): readonly SearchRange[];
  progress(): DiscoveryProgress | undefined;
  /** Resolves when nothing of it runs any more. */
  stop(): Promise<void>;
}

const RETRY_MS = 5_000;
/** Blocks whose logs were pruned are asked for again after this: the operator may have named an archive. */
const RETRY_PRUNED_MS = 600_000;
/** Found pools that wait to be taken; the search rests while there are more. */
const MAX_WAITING = 5_000;
const PAUSE_MS = 200;
/** Shortest time between two log lines about one kind of trouble, ms. */
const TOLD_EVERY_MS = 60_000;

/** Dependencies and limits of a search for pools. */
interface SearchOptions {
  /** Reads logs of old blocks: an archive, where there is one. */
  readonly reader: ChainReader;
  readonly sources: readonly LiquiditySource[];
  readonly record: ChainRecord;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly headerOf: (blockNumber: bigint) => Promise<Header>;
  /** Searched one after another; one that fails lets the next go first. */
  readonly ranges: readonly SearchRange[];
}

export function startBackgroundSearch(options: SearchOptions): BackgroundSearch {
  return new Search(options);
}

/** A range that is being searched. */
interface Job {
  readonly sources: readonly LiquiditySource[];
  readonly from: bigint;
  next: bigint;
  readonly to: bigint;
  /** Its logs are pruned; not asked for again before this moment. */
  readonly prunedUntil?: number;
}

/** Announcements in a part of a range, until all of them are taken. */
interface Window {
  readonly job: Pick<Job, "sources" | "to">;
  readonly from: bigint;
  readonly end: bigint;
  readonly found: Found[];
  readonly refused: readonly RefusedCount[];
}

class Search implements BackgroundSearch {
  readonly #options: SearchOptions;
  readonly #windows: Window[] = [];
  /** Ranges still to be searched, the next one first. */
  readonly #jobs: Job[];
  readonly #mayLog: (reason: string) => boolean;
  readonly #running: Promise<void>;
  readonly #began: number;
  #taken = 0;
  #progress: DiscoveryProgress | undefined;
  #trouble: string | undefined;
  #stopped = false;
  #wakeUp = () => {};

  constructor(options: SearchOptions) {
    this.#options = options;
    this.#jobs = options.ranges.flatMap(({ sources, next, to }) => {
      const searched = options.sources.filter(({ id }) => sources.includes(id));
      return searched.length === 0 || next > to ? [] : [{ sources: searched, from: next, next, to }];
    });
    this.#began = options.clock.elapsed();
    this.#mayLog = createThrottle(TOLD_EVERY_MS, options.clock.elapsed);
    this.#running = this.#run();
  }

  peek(most: number): readonly Found[] {
    const pools: Found[] = [];
    for (const { found } of this.#windows) {
      if (pools.length >= most) break;
      pools.push(...found.slice(0, most - pools.length));
    }
    return pools;
  }

  drop(count: number): readonly RefusedCount[] {
    this.#taken += count;
    let left = count;
    const notServed: RefusedCount[] = [];
    while (this.#windows[0] !== undefined && this.#windows[0].found.length <= left) {
      const { found, refused } = this.#windows.shift()!;
      left -= found.length;
      notServed.push(...refused);
    }
    this.#windows[0]?.found.splice(0, left);
    return notServed;
  }

  rest(): readonly SearchRange[] {
    const ofWindows = this.#windows.map(({ job, from, end }) => rangeOf(job.sources, from, end));
    return [...ofWindows, ...this.#jobs.map(({ sources, next, to }) => rangeOf(sources, next, to))];
  }

  progress(): DiscoveryProgress | undefined {
    const [job] = this.#jobs;
    if (job === undefined && this.#windows.length === 0) return undefined;
    const pruned = this.#pruned();
    const searched = this.#progress ?? (job === undefined ? NOTHING : notBegun(job));
    return {
      ...searched,
      pools: this.#taken + this.#waiting(),
      secondsLeft: this.#secondsLeft(searched.secondsLeft),
      trouble: this.#trouble,
      unsearchable: pruned.length === 0 ? undefined : hull(pruned),
    };
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wakeUp();
    await this.#running;
  }

  #waiting(): number {
    return this.#windows.reduce((sum, { found }) => sum + found.length, 0);
  }

  /** Until what is being searched and all that was found will be taken; undefined before there is a pace. */
  #secondsLeft(ofSearch: number | undefined): number | undefined {
    const waiting = this.#waiting();
    if (waiting === 0 || ofSearch === undefined) return ofSearch;
    const seconds = (this.#options.clock.elapsed() - this.#began) / 1_000;
    return this.#taken === 0 ? undefined : Math.ceil(Math.max(ofSearch, (waiting * seconds) / this.#taken));
  }

  async #run(): Promise<void> {
    const { clock } = this.#options;
    while (!this.#stopped) {
      const now = clock.elapsed();
      const job = this.#jobs.find(({ prunedUntil = 0 }) => prunedUntil <= now);
      if (job === undefined) {
        const next = Math.min(...this.#jobs.map(({ prunedUntil = 0 }) => prunedUntil));
        if (this.#jobs.length === 0) return;
        await this.#pause(next - now);
        continue;
      }
      try {
        await this.#search(job);
        this.#jobs.splice(this.#jobs.indexOf(job), 1);
        this.#goesOn();
      } catch (error) {
        if (this.#stopped) return;
        await this.#failed(job, error);
      }
    }
  }

  async #search(job: Job): Promise<void> {
    const { headerOf, clock } = this.#options;
    await discover({
      ...this.#options,
      sources: job.sources,
      fromBlock: job.next,
      to: await headerOf(job.to),
      isBeside: true,
      onWindow: async (report, block, { found, refused }) => {
        const counts = new RefusedCounts();
        counts.addAll(refused);
        const window = { job, from: job.next, end: block.number, found: [...found], refused: counts.all() };
        if (found.length + refused.length > 0) this.#windows.push(window);
        job.next = block.number + 1n;
        this.#progress = { ...report, fromBlock: job.from };
        this.#goesOn();
        while (this.#waiting() > MAX_WAITING && !this.#stopped) await sleep(clock, PAUSE_MS);
        if (this.#stopped) throw new Error("stopped");
      },
    });
  }

  #pruned(): readonly Job[] {
    return this.#jobs.filter(({ prunedUntil }) => prunedUntil !== undefined);
  }

  /** Clears the trouble, unless blocks are left whose logs are pruned. */
  #goesOn(): void {
    if (this.#pruned().length === 0) this.#trouble = undefined;
  }

  async #failed(job: Job, error: unknown): Promise<void> {
    const { logger } = this.#options;
    const isOld = isPruned(error) && (await this.#setAside(job));
    if (!isOld) {
      this.#trouble = `The search for pools failed at block ${job.next}, it is tried again: ${reasonOf(error)}.`;
      // Others need not wait for it.
      this.#jobs.push(...this.#jobs.splice(this.#jobs.indexOf(job), 1));
    }
    if (this.#mayLog(this.#trouble ?? "")) {
      const range = { next: Number(job.next), to: Number(job.to), sources: job.sources.map(({ id }) => id) };
      logger.warn({ ...range, reason: messageOf(error) }, this.#trouble ?? "the search for pools failed");
    }
    if (!isOld) await this.#pause(RETRY_MS);
  }

  /** Sets aside the blocks of a range whose logs are pruned, so that the others are searched. Whether that could be done. */
  async #setAside(job: Job): Promise<boolean> {
    const { reader, headerOf, clock } = this.#options;
    const range = { from: job.next, to: job.to };
    const kept = await oldestBlockServed(reader, job.sources, range, headerOf).catch(() => null);
    if (kept === null || kept === job.next || this.#stopped) return false;
    const prunedUntil = clock.elapsed() + RETRY_PRUNED_MS;
    const { sources, next, to } = job;
    const last = kept === undefined ? to : kept - 1n;
    this.#jobs.splice(this.#jobs.indexOf(job), 1);
    if (kept !== undefined) this.#jobs.unshift({ sources, from: kept, next: kept, to });
    this.#jobs.push({ sources, from: next, next, to: last, prunedUntil });
    const blocks = hull(this.#pruned());
    this.#trouble =
      `No node keeps the logs of blocks ${blocks.from} to ${blocks.to}: pools that they announce are missing, but for those ` +
      "of the listed tokens. Set HISTORY_URL to a node with all logs.";
    return true;
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(ms, resolve);
      this.#wakeUp = () => {
        cancel();
        resolve();
      };
    });
  }
}

const NOTHING = { fromBlock: 0n, nextBlock: 0n, toBlock: 0n, pools: 0, blocksPerSecond: 0, secondsLeft: undefined };

function notBegun({ next, to }: Job): DiscoveryProgress {
  return { ...NOTHING, fromBlock: next, nextBlock: next, toBlock: to };
}

function rangeOf(sources: readonly LiquiditySource[], next: bigint, to: bigint): SearchRange {
  return { sources: sources.map(({ id }) => id), next, to };
}

/** From the first to the last block of some ranges. */
function hull(ranges: readonly { readonly next: bigint; readonly to: bigint }[]): {
  readonly from: bigint;
  readonly to: bigint;
} {
  return ranges.reduce<{ from: bigint; to: bigint }>(
    ({ from, to }, range) => ({ from: range.next < from ? range.next : from, to: range.to > to ? range.to : to }),
    { from: ranges[0]!.next, to: ranges[0]!.to },
  );
}
