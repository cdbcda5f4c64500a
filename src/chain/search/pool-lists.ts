import type { BlockRef } from "../../domain/block.ts";
import { messageOf } from "../../domain/message-of.ts";
import type { PoolId } from "../../domain/route.ts";
import type { SourceId } from "../../domain/source.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import type { UnservedReason } from "../../market/eligibility.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { Logger } from "../../ops/logger.ts";
import type { Found } from "../pools/found-pools.ts";
import type { Clock } from "../rpc/clock.ts";

/** Contracts that list pools are looked through again and again while the chain is followed. What fails is tried again. */
export interface PoolLists {
  /** The next listed pools, at most so many. They stay until they are dropped. */
  peek(most: number): readonly Found[];
  /** A pool was taken. Answers whether it is one of these. */
  drop(pool: Found): boolean;
  /** Listed pools of a source that are not served. */
  refused(source: SourceId): Iterable<UnservedReason>;
  /** Resolves when nothing of it runs any more. */
  stop(): Promise<void>;
}

/** A new pool of a list has no liquidity for some minutes, as a rule. */
const LOOK_EVERY_MS = 10 * 60_000;
const RETRY_MS = 30_000;

interface PoolListsOptions {
  readonly reader: ChainReader;
  readonly sources: readonly LiquiditySource[];
  /** The newest block. */
  readonly latest: () => Promise<BlockRef>;
  /** Whether a pool is there and could be read: others are taken in again. */
  readonly isHeld: (id: PoolId) => boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function startPoolLists(options: PoolListsOptions): PoolLists {
  return new LookedThroughLists(options);
}

class LookedThroughLists implements PoolLists {
  readonly #options: PoolListsOptions;
  readonly #waiting = new Map<PoolId, Found>();
  readonly #refused = new Map<SourceId, Map<PoolId, UnservedReason>>();
  readonly #running: Promise<unknown>;
  /** Each ends a rest. */
  readonly #wakers = new Set<() => void>();
  #stopped = false;

  constructor(options: PoolListsOptions) {
    this.#options = options;
    const listing = options.sources.filter(({ listed }) => listed !== undefined);
    this.#running = Promise.all(listing.map((source) => this.#lookThrough(source)));
  }

  peek(most: number): readonly Found[] {
    return [...this.#waiting.values()].slice(0, most);
  }

  drop(pool: Found): boolean {
    return this.#waiting.get(pool.ref.id) === pool && this.#waiting.delete(pool.ref.id);
  }

  refused(source: SourceId): Iterable<UnservedReason> {
    return this.#refused.get(source)?.values() ?? [];
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const wake of this.#wakers) wake();
    await this.#running;
  }

  async #lookThrough(source: LiquiditySource): Promise<void> {
    while (!this.#stopped) {
      try {
        await this.#look(source);
        await this.#rest(LOOK_EVERY_MS);
      } catch (error) {
        const reason = messageOf(error);
        this.#options.logger.warn({ source: source.id, reason }, "lists of pools could not be read, trying again");
        await this.#rest(RETRY_MS);
      }
    }
  }

  async #look(source: LiquiditySource): Promise<void> {
    const { reader, latest, isHeld, logger } = this.#options;
    const refused = this.#refused.get(source.id) ?? new Map<PoolId, UnservedReason>();
    this.#refused.set(source.id, refused);
    const isKnown = (id: PoolId) => isHeld(id) || this.#waiting.has(id) || refused.has(id);
    const listing = await source.listed?.(reader, isKnown, await latest());
    if (listing === undefined || this.#stopped) return;
    for (const ref of listing.pools) this.#waiting.set(ref.id, { ref, source });
    for (const [id, reason] of listing.unserved) refused.set(id, reason);
    const [pools, unserved] = [listing.pools.length, listing.unserved.size];
    if (pools + unserved > 0) logger.info({ source: source.id, pools, unserved }, "pools found in lists");
  }

  #rest(ms: number): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        cancel();
        this.#wakers.delete(wake);
        resolve();
      };
      const cancel = this.#options.clock.after(ms, wake);
      this.#wakers.add(wake);
    });
  }
}
