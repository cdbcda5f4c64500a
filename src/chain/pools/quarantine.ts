import type { BlockRef } from "../../domain/block.ts";
import type { PoolId } from "../../domain/route.ts";
import type { Market } from "../../market/market.ts";
import type { Logger } from "../../ops/logger.ts";
import type { BlockMemo, BlockMemory } from "../rpc/block-memory.ts";
import type { Clock } from "../rpc/clock.ts";

const FIRST_RETRY_MS = 10 * 60_000;
const MAX_RETRY_MS = 6 * 3_600_000;

interface QuarantineTerm {
  retryAt: number;
  readonly retryMs: number;
}

/** Pools that are put aside at a time; of more, the oldest is released. */
const MAX_QUARANTINED = 10_000;

export interface QuarantineOptions {
  readonly market: Pick<Market, "quarantine">;
  readonly memory: BlockMemory;
  /** Reads a pool anew and lifts its quarantine. */
  readonly release: (id: PoolId) => void;
  readonly clock: Pick<Clock, "elapsed">;
  readonly logger: Logger;
}

/** Pools that are put aside, each to be tried again after a while, which is longer each time. */
export class Quarantine {
  readonly #options: QuarantineOptions;
  /** A pool that was put aside by what a block showed comes back when that block leaves the chain. */
  readonly #terms: BlockMemo<PoolId, QuarantineTerm>;

  constructor(options: QuarantineOptions) {
    this.#options = options;
    this.#terms = options.memory.memo({ most: MAX_QUARANTINED, onForgotten: options.release });
  }

  has(id: PoolId, at: BlockRef): boolean {
    return this.#terms.get(id, at) !== undefined;
  }

  /** Those that are to be tried again now, the longest put aside first. */
  due(): readonly PoolId[] {
    const now = this.#options.clock.elapsed();
    return [...this.#terms.entries()].filter(([, { retryAt }]) => retryAt <= now).map(([id]) => id);
  }

  add(id: PoolId, reason: string, at: BlockRef): void {
    const { clock, market, logger, release } = this.#options;
    const retryMs = Math.min((this.#terms.get(id, at)?.retryMs ?? FIRST_RETRY_MS / 2) * 2, MAX_RETRY_MS);
    this.#terms.set(id, { retryAt: clock.elapsed() + retryMs, retryMs }, at);
    // The block has left the chain meanwhile.
    if (this.#terms.get(id, undefined) === undefined) {
      this.#terms.delete(id);
      release(id);
      return;
    }
    market.quarantine(id, `its swaps fail: ${reason}`);
    logger.warn({ pool: id, reason, retryMs }, "a pool's swaps fail block after block: it is put aside");
  }

  /** It could not be tried, or the trial said nothing. */
  postpone(id: PoolId, at: BlockRef): void {
    const term = this.#terms.get(id, at);
    if (term !== undefined) term.retryAt = this.#options.clock.elapsed() + term.retryMs;
  }

  /** It works. */
  release(id: PoolId, at: BlockRef): void {
    if (!this.has(id, at)) return;
    this.#terms.delete(id);
    this.#options.logger.info({ pool: id }, "a pool that was put aside works again");
    this.#options.release(id);
  }
}
