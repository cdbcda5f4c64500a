import { messageOf } from "../../domain/message-of.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { Logger } from "../../ops/logger.ts";
import type { ChainRecord } from "../chains/chain-record.ts";
import type { Clock } from "../rpc/clock.ts";
import { sleep } from "../rpc/clock.ts";
import type { Header } from "../rpc/codec.ts";
import { type DiscoveryProgress, discover } from "./discovery.ts";
import type { Found, Refused } from "./found-pools.ts";

/** Blocks whose logs are still to be searched for pools, first and last. */
export interface SearchRange {
  readonly next: bigint;
  readonly to: bigint;
}

/** Takes pools that were found, and counts those that are not served. */
export type TakeFound = (found: readonly Found[], refused: readonly Refused[]) => Promise<void>;

/** A search for pools that goes on while the chain is followed. What fails is tried again, for ever. */
export interface BackgroundSearch {
  /**
   * Hands the next pools that were found, at most so many, to `take`, with those announced up to them that are not served,
   * and answers them. @throws what `take` does: then they are handed over again.
   */
  handOver(most: number, take: TakeFound): Promise<readonly Found[]>;
  /** What of the search a later run has to do: all pools of blocks before it were taken. Undefined when there is nothing. */
  rest(): SearchRange | undefined;
  progress(): DiscoveryProgress | undefined;
  /** Resolves when nothing of it runs any more. */
  stop(): Promise<void>;
}

const RETRY_MS = 5_000;
/** Found pools that wait to be taken; the search rests while there are more. */
const MOST_WAITING = 5_000;
const PAUSE_MS = 200;

/** What a search for pools works with. */
interface SearchOptions {
  readonly reader: ChainReader;
  readonly sources: readonly LiquiditySource[];
  readonly record: ChainRecord;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly headerOf: (blockNumber: bigint) => Promise<Header>;
  readonly range: SearchRange;
}

/** Searched windows whose pools were not all taken, the oldest first. */
class SearchedWindows {
  readonly #windows: { readonly from: bigint; readonly found: Found[]; readonly refused: readonly Refused[] }[] = [];

  /** Where the oldest begins. */
  get from(): bigint | undefined {
    return this.#windows[0]?.from;
  }

  /** Pools that wait to be taken. */
  get waiting(): number {
    return this.#windows.reduce((sum, { found }) => sum + found.length, 0);
  }

  add(from: bigint, found: Found[], refused: readonly Refused[]): void {
    this.#windows.push({ from, found, refused });
  }

  /** The next pools, at most so many, and what was refused in the windows that are through with them. */
  next(most: number): { readonly pools: readonly Found[]; readonly refused: readonly Refused[] } {
    const pools: Found[] = [];
    const notServed: Refused[] = [];
    for (const { found, refused } of this.#windows) {
      const room = most - pools.length;
      pools.push(...found.slice(0, room));
      if (found.length > room) break;
      notServed.push(...refused);
    }
    return { pools, refused: notServed };
  }

  /** Forgets so many pools, and windows that have none left. */
  drop(count: number): void {
    let left = count;
    const windows = this.#windows;
    while (windows[0] !== undefined && windows[0].found.length <= left) left -= windows.shift()!.found.length;
    windows[0]?.found.splice(0, left);
  }
}

export function startBackgroundSearch(options: SearchOptions): BackgroundSearch {
  const { clock, logger, range, headerOf } = options;
  const windows = new SearchedWindows();
  let next = range.next;
  let taken = 0;
  let progress: DiscoveryProgress | undefined;
  let stopped = false;

  async function searchOn(): Promise<void> {
    let seen = 0;
    await discover({
      ...options,
      fromBlock: next,
      to: await headerOf(range.to),
      headerOf,
      async onWindow(report, block, { found, refused }) {
        windows.add(next, found.slice(seen), refused);
        seen = found.length;
        next = block.number + 1n;
        progress = { ...report, fromBlock: range.next, pools: taken + windows.waiting };
        while (windows.waiting > MOST_WAITING && !stopped) await sleep(clock, PAUSE_MS);
        if (stopped) throw new Error("stopped");
      },
    });
  }

  async function run(): Promise<void> {
    while (!stopped && next <= range.to) {
      try {
        await searchOn();
      } catch (error) {
        if (stopped) return;
        const reason = messageOf(error);
        logger.warn({ reason, next: Number(next) }, "the search for pools failed, trying again");
        await sleep(clock, RETRY_MS);
      }
    }
  }

  const running = run();
  return {
    async handOver(most, take) {
      const { pools, refused } = windows.next(most);
      if (pools.length > 0 || refused.length > 0) await take(pools, refused);
      taken += pools.length;
      windows.drop(pools.length);
      return pools;
    },
    rest() {
      const from = windows.from ?? next;
      return from > range.to ? undefined : { next: from, to: range.to };
    },
    progress: () => (next > range.to && windows.from === undefined ? undefined : progress),
    async stop() {
      stopped = true;
      await running;
    },
  };
}
