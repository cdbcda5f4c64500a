import { type Clock, sleep } from "./clock.ts";
import { TransportError } from "./provider-errors.ts";

/**
 * How fast a node may be asked: as fast as one likes until it complains of too many requests. Then it is left alone for as
 * long as it says, asked more slowly, and faster again until it complains or the limit is forgotten.
 */
export interface RequestPace {
  /** Waits until the next request may go. @throws TransportError when that is further off than `timeoutMs` */
  takeTurn(timeoutMs: number): Promise<void>;
  /** The node has complained; `retryAfterMs`: how long it wants to be left alone, where it said so. */
  complained(retryAfterMs: number | undefined): void;
  /** When it may be asked again, by `Clock.elapsed`. */
  pausedUntil(): number;
  /** Requests per second at most; undefined while there is no limit. */
  limit(): number | undefined;
}

/** Wait after too many requests, when the node does not say how long. */
const PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;
const RATE_DOWN = 0.7;
const RATE_UP_PER_SECOND = 1.25;
/** Below this the pauses that the node asks for do the rest. */
const MIN_RATE = 5;
/** A rate that has grown to so many times the one that was refused is no limit any more. */
const RATE_FORGOTTEN = 4;

export function createRequestPace(clock: Clock): RequestPace {
  let pausedUntil = 0;
  let rate: { perSecond: number; readonly refusedAt: number; raisedAt: number } | undefined;
  let nextTurn = 0;
  let secondStart = 0;
  let sentInSecond = 0;
  let sentInLastSecond = 0;

  /** The limit grows with time until it is forgotten. */
  function raise(now: number): void {
    if (rate === undefined || now - rate.raisedAt < 1_000) return;
    rate.perSecond *= RATE_UP_PER_SECOND;
    rate.raisedAt = now;
    if (rate.perSecond > rate.refusedAt * RATE_FORGOTTEN) rate = undefined;
  }

  function count(now: number): void {
    if (now - secondStart >= 1_000) {
      sentInLastSecond = now - secondStart < 2_000 ? sentInSecond : 0;
      secondStart = now;
      sentInSecond = 0;
    }
    sentInSecond += 1;
  }

  return {
    async takeTurn(timeoutMs) {
      const now = clock.elapsed();
      raise(now);
      const turn = Math.max(now, pausedUntil, rate === undefined ? 0 : nextTurn);
      const waitMs = turn - now;
      if (waitMs > timeoutMs) {
        const details = { limited: true, retryAfterMs: waitMs };
        throw new TransportError("the node takes no more requests at present", details);
      }
      if (rate !== undefined) nextTurn = turn + 1_000 / rate.perSecond;
      if (waitMs > 0) await sleep(clock, waitMs);
      count(clock.elapsed());
    },
    complained(retryAfterMs) {
      const now = clock.elapsed();
      const again = now < pausedUntil;
      pausedUntil = now + Math.min(retryAfterMs ?? PAUSE_MS, MAX_PAUSE_MS);
      // What was on its way when the node complained for the first time says nothing new.
      if (again) return;
      const perSecond = Math.max(MIN_RATE, (rate?.perSecond ?? Math.max(sentInSecond, sentInLastSecond)) * RATE_DOWN);
      rate = { perSecond, refusedAt: rate?.refusedAt ?? perSecond, raisedAt: pausedUntil };
    },
    pausedUntil: () => pausedUntil,
    limit: () => rate?.perSecond,
  };
}
