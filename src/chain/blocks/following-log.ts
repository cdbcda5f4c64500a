import { messageOf } from "../../domain/message-of.ts";
import type { Logger } from "../../ops/logger.ts";
import { createThrottle } from "../../ops/throttle.ts";
import type { Clock } from "../rpc/clock.ts";

/** Shortest time between two warnings about one failure, ms: an outage is no reason for two lines a second. */
const TOLD_EVERY_MS = 60_000;
/** Failures in a row whose end is worth a line. */
const MANY_FAILURES = 12;

/** Rate-limited log of failures to follow the chain. */
export class FollowingLog {
  readonly #logger: Logger;
  readonly #mayLog: (reason: string) => boolean;

  constructor(logger: Logger, clock: Pick<Clock, "elapsed">) {
    this.#logger = logger;
    this.#mayLog = createThrottle(TOLD_EVERY_MS, clock.elapsed);
  }

  /** It has failed for a reason, so often in a row. */
  failed(reason: string, error: unknown, failures: number): void {
    const line = { reason: messageOf(error), failures };
    const level = this.#mayLog(reason) ? "warn" : "debug";
    this.#logger[level](line, "following the chain failed, trying again");
  }

  /** It works, after so many failures in a row. */
  worked(failures: number): void {
    if (failures >= MANY_FAILURES) this.#logger.info({ failures }, "following the chain works again");
  }
}
