import type { RateLimit } from "../../api/keys/key-store.ts";
import type { Decision } from "../../api/limits/gcra.ts";
import type { Limiter } from "../../api/limits/limiter.ts";
import { messageOf } from "../../domain/message-of.ts";
import type { Logger } from "../../ops/logger.ts";

/** Milliseconds for which nobody asks a limiter that has failed: callers do not wait for it one by one. */
const REST_MS = 1_000;

interface ShareOptions {
  /** Exact over all processes, while it answers. */
  readonly shared: Limiter;
  /** Limiter of this process alone. */
  readonly own: Limiter;
  /** Processes that answered when they were last counted, this one included. */
  readonly processes: () => number;
  readonly logger: Logger;
  /** Milliseconds, never going back. */
  readonly elapsed?: () => number;
}

/**
 * Limits of a fleet. While what they share cannot be asked each process gives its part of every limit, and says so: in the log,
 * in a metric, and in the policy that answers show.
 */
export class ShareLimiter implements Limiter {
  readonly #options: ShareOptions;
  readonly #elapsed: () => number;
  #restUntil = Number.NEGATIVE_INFINITY;
  #isLocal = false;
  #decided = 0;

  constructor(options: ShareOptions) {
    this.#options = options;
    this.#elapsed = options.elapsed ?? (() => performance.now());
  }

  /** Whether limits are this process's own part at the moment, and how many decisions were. */
  figures(): { readonly isLocal: boolean; readonly decidedLocally: number } {
    return { isLocal: this.#isLocal, decidedLocally: this.#decided };
  }

  take(account: string, limit: RateLimit, cost: number): Promise<Decision> {
    return this.#decide("take", account, { limit, cost });
  }

  debit(account: string, limit: RateLimit, cost: number): Promise<Decision> {
    return this.#decide("debit", account, { limit, cost });
  }

  async #decide(
    how: "take" | "debit",
    account: string,
    { limit, cost }: { readonly limit: RateLimit; readonly cost: number },
  ): Promise<Decision> {
    const { shared, own, logger } = this.#options;
    if (this.#elapsed() >= this.#restUntil) {
      try {
        const decision = await shared[how](account, limit, cost);
        if (this.#isLocal) logger.info("limits hold for the whole fleet again");
        this.#isLocal = false;
        return decision;
      } catch (error) {
        this.#restUntil = this.#elapsed() + REST_MS;
        if (!this.#isLocal) this.#tell(error);
        this.#isLocal = true;
      }
    }
    this.#decided += 1;
    const part = this.#partOf(limit);
    return { ...(await own[how](account, part, cost)), limit: part };
  }

  #partOf({ unitsPerSecond, burst }: RateLimit): RateLimit {
    const processes = Math.max(1, this.#options.processes());
    return { unitsPerSecond: unitsPerSecond / processes, burst: Math.max(1, Math.floor(burst / processes)) };
  }

  #tell(error: unknown): void {
    const processes = this.#options.processes();
    this.#options.logger.warn(
      { reason: messageOf(error), processes },
      "limits cannot be shared: each process gives its part of them",
    );
  }
}
