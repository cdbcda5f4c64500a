import type { Clock } from "./clock.ts";
import { TransportError } from "./provider-errors.ts";

/** Priority of a request: the follower of the chain goes before callers. */
export type Lane = "follower" | "callers";

/**
 * Rate limit of requests to one node. There is none until the node complains of too many requests. Requests then pause
 * for as long as it says and go on more slowly. The rate rises again until the node complains or the limit is
 * forgotten. The follower's requests go before all waiting callers, and only a bounded number of callers' requests is
 * under way.
 */
export interface RequestPace {
  /**
   * Waits until the next request of a lane may go; the answer is to be called when that request has ended.
   * @throws TransportError when its turn is further off than `timeoutMs`
   */
  takeTurn(timeoutMs: number, lane: Lane): Promise<() => void>;
  /** The node has complained; `retryAfterMs`: how long it wants to be left alone, where it said so. */
  complained(retryAfterMs: number | undefined): void;
  /** When it may be asked again, by `Clock.elapsed`. */
  pausedUntil(): number;
  /** Requests per second at most; undefined while there is no limit. */
  limit(): number | undefined;
}

/** Requests for callers that are on their way to a node at a time, by default. */
const CALLERS_IN_FLIGHT = 32;
/** Wait after too many requests, when the node does not say how long. */
const PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;
const RATE_DOWN = 0.7;
const RATE_UP_PER_SECOND = 1.25;
/** Below this the pauses that the node asks for do the rest. */
const MIN_RATE = 5;
/** A rate that has grown to so many times the one that was refused is no limit any more. */
const RATE_FORGOTTEN = 4;

export function createRequestPace(clock: Clock, mostForCallers = CALLERS_IN_FLIGHT): RequestPace {
  const rate = createRate(clock);
  const waiting: Readonly<Record<Lane, Set<() => void>>> = { follower: new Set(), callers: new Set() };
  const callers = createInFlight(mostForCallers, () => {
    if (waiting.callers.size > 0) pump();
  });
  let cancelPump: (() => void) | undefined;

  const hasRoom = (lane: Lane) => lane === "follower" || callers.hasRoom();

  /** Lets go who may, the follower first. */
  function pump(): void {
    cancelPump?.();
    cancelPump = undefined;
    for (const lane of ["follower", "callers"] as const) {
      for (const go of waiting[lane]) {
        if (!hasRoom(lane)) break;
        const waitMs = rate.nextTurn() - clock.elapsed();
        if (waitMs > 0) {
          cancelPump = clock.after(waitMs, pump);
          return;
        }
        waiting[lane].delete(go);
        go();
      }
    }
  }

  /** Notes a request that goes now; the answer notes its end. */
  function begin(lane: Lane): () => void {
    rate.count();
    return lane === "follower" ? () => {} : callers.begin();
  }

  function queue(timeoutMs: number, lane: Lane): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const go = () => {
        cancelWait();
        resolve(begin(lane));
      };
      const cancelWait = clock.after(timeoutMs, () => {
        waiting[lane].delete(go);
        reject(tooMany(rate.nextTurn() - clock.elapsed()));
      });
      waiting[lane].add(go);
      pump();
    });
  }

  return {
    async takeTurn(timeoutMs, lane) {
      rate.raise();
      const before = waiting.follower.size + (lane === "callers" ? waiting.callers.size : 0);
      const waitMs = rate.nextTurn() + before * rate.spacing() - clock.elapsed();
      if (waitMs > timeoutMs) throw tooMany(waitMs);
      return before === 0 && waitMs <= 0 && hasRoom(lane) ? begin(lane) : queue(timeoutMs, lane);
    },
    complained: rate.complained,
    pausedUntil: rate.pausedUntil,
    limit: rate.limit,
  };
}

/** Requests that are on their way, so many at most. `onEnd`: one has ended. */
function createInFlight(most: number, onEnd: () => void) {
  let count = 0;
  return {
    hasRoom: () => count < most,
    /** Another one goes; the answer notes its end. */
    begin(): () => void {
      count += 1;
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        count -= 1;
        onEnd();
      };
    },
  };
}

function tooMany(retryAfterMs: number): TransportError {
  const details = { limited: true, retryAfterMs: Math.max(0, retryAfterMs) };
  return new TransportError("the node takes no more requests at present", details);
}

/** The rate that a node's complaints leave: requests are spaced by it, and it grows with time until it is forgotten. */
function createRate(clock: Clock) {
  let pausedUntil = 0;
  let rate: { perSecond: number; readonly refusedAt: number; raisedAt: number } | undefined;
  let nextTurn = 0;
  let secondStart = 0;
  let sentInSecond = 0;
  let sentInLastSecond = 0;

  const spacing = () => (rate === undefined ? 0 : 1_000 / rate.perSecond);

  return {
    /** When the next request may go, by `Clock.elapsed`. */
    nextTurn: () => Math.max(pausedUntil, rate === undefined ? 0 : nextTurn),
    /** Milliseconds from one request to the next. */
    spacing,
    /** A request goes now. */
    count(): void {
      const now = clock.elapsed();
      nextTurn = Math.max(now, nextTurn) + spacing();
      if (now - secondStart >= 1_000) {
        sentInLastSecond = now - secondStart < 2_000 ? sentInSecond : 0;
        secondStart = now;
        sentInSecond = 0;
      }
      sentInSecond += 1;
    },
    raise(): void {
      const now = clock.elapsed();
      if (rate === undefined || now - rate.raisedAt < 1_000) return;
      rate.perSecond *= RATE_UP_PER_SECOND;
      rate.raisedAt = now;
      if (rate.perSecond > rate.refusedAt * RATE_FORGOTTEN) rate = undefined;
    },
    complained(retryAfterMs: number | undefined): void {
      const now = clock.elapsed();
      const again = now < pausedUntil;
      pausedUntil = now + Math.min(retryAfterMs ?? PAUSE_MS, MAX_PAUSE_MS);
      // Requests that were already sent at the first complaint add no news.
      if (again) return;
      const sent = Math.max(sentInSecond, sentInLastSecond);
      const perSecond = Math.max(MIN_RATE, (rate?.perSecond ?? sent) * RATE_DOWN);
      rate = { perSecond, refusedAt: rate?.refusedAt ?? perSecond, raisedAt: pausedUntil };
    },
    pausedUntil: () => pausedUntil,
    limit: () => rate?.perSecond,
  };
}
