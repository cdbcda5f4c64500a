import type { Quoting, SwapRequest } from "../answer/types.ts";
import type { MarketFeed } from "../ports.ts";
import { requestKey } from "../search/request-key.ts";
import type { PriceUpdate } from "./price-update.ts";
import { createSimulationTurns } from "./simulation-turns.ts";
import { createWatchPricing } from "./watch-pricing.ts";
import { createShares, type Watcher } from "./watch-shares.ts";
import { WatchedRequest } from "./watched-request.ts";

/** Limits on watches, and the interval of heartbeats. */
export interface WatchLimits {
  readonly mostWatches: number;
  /** Watches that one key has open at most, if so many are free. */
  readonly mostWatchesPerKey: number;
  /** Different requests that are watched at a time: each costs one search for every block. */
  readonly mostRequests: number;
  readonly mostRequestsPerKey: number;
  /** Simulations in a second for the gas of watched requests. */
  readonly simulationsPerSecond: number;
  /** Most milliseconds between two messages: a heartbeat is sent when there is nothing else to tell. */
  readonly heartbeatMs: number;
}

export const DEFAULT_WATCH_LIMITS: WatchLimits = {
  mostWatches: 5_000,
  mostWatchesPerKey: 1_000,
  mostRequests: 1_000,
  mostRequestsPerKey: 200,
  simulationsPerSecond: 5,
  heartbeatMs: 15_000,
};

/** Prices that are told again whenever they change. */
export interface PriceWatches {
  /**
   * The price now, and again after each block in which it changes; a reader that is slow gets the newest only. Ends
   * when `signal` is aborted.
   * @throws SwapError TOO_MANY_REQUESTS when the watcher's key has its share, UNAVAILABLE when all watches are taken
   */
  open(request: SwapRequest, signal: AbortSignal, watcher: Watcher): AsyncGenerator<PriceUpdate, void, undefined>;
  /** Open watches, and the different requests among them. */
  counts(): { readonly watches: number; readonly requests: number };
  stop(): void;
}

/** A market becomes stale by time alone: no snapshot tells it. */
const LOOK_EVERY_MS = 1_000;

/** Watches over one market: a request is priced once for a block, however many watch it. */
export function createPriceWatches(options: {
  readonly quoting: Pick<Quoting, "price">;
  readonly market: Pick<MarketFeed, "current" | "onSnapshot">;
  readonly limits?: WatchLimits;
  /** Told of what is thrown and is no SwapError: a defect. */
  readonly onDefect: (error: unknown) => void;
}): PriceWatches {
  const { market, limits = DEFAULT_WATCH_LIMITS } = options;
  const pricing = createWatchPricing(options);
  const register = createWatchRegister(limits);
  const markAll = () => {
    for (const one of register.requests()) pricing.mark(one);
  };
  const staleness = watchStaleness(market, markAll);
  const stopListening = market.onSnapshot(markAll);

  /** @throws SwapError when there is no room for it */
  function enter(request: SwapRequest, watcher: Watcher): WatchedRequest {
    const { watched, isNew } = register.enter(request, watcher);
    if (isNew) pricing.mark(watched);
    staleness.begin();
    return watched;
  }

  function leave(watched: WatchedRequest, watcher: Watcher): void {
    register.leave(watched, watcher);
    if (watched.isWatched) return;
    pricing.drop(watched);
    watched.gas.end();
    if (register.counts().requests === 0) staleness.end();
  }

  async function* open(
    request: SwapRequest,
    signal: AbortSignal,
    watcher: Watcher,
  ): AsyncGenerator<PriceUpdate, void, undefined> {
    const watched = enter(request, watcher);
    try {
      // A watcher that joins during pricing waits for that once, instead of getting the block before.
      yield* watched.updates(signal, limits.heartbeatMs, pricing.isDue(watched));
    } finally {
      leave(watched, watcher);
    }
  }

  return {
    open,
    counts: register.counts,
    stop() {
      stopListening();
      staleness.end();
    },
  };
}

/** Register of watches, within the limits of each key and in total. */
function createWatchRegister(limits: WatchLimits) {
  const watched = new Map<string, WatchedRequest>();
  const simulations = createSimulationTurns(limits.simulationsPerSecond, () => performance.now());
  const ofWatches = createShares({
    inAll: limits.mostWatches,
    perKey: limits.mostWatchesPerKey,
    name: "streams of prices open",
  });
  const ofRequests = createShares({
    inAll: limits.mostRequests,
    perKey: limits.mostRequestsPerKey,
    name: "different requests watched",
  });
  let watches = 0;

  return {
    /** @throws SwapError when there is no room for it */
    enter(request: SwapRequest, watcher: Watcher): { readonly watched: WatchedRequest; readonly isNew: boolean } {
      const { key } = watcher;
      const name = requestKey(request);
      const before = watched.get(name);
      ofWatches.admit(key, watches);
      // To watch what others watch as well costs no search.
      if (before?.isWatchedBy(key) !== true) {
        ofRequests.admit(key, before === undefined ? watched.size : 0);
        ofRequests.add(key);
      }
      ofWatches.add(key);
      watches += 1;
      const one = before ?? new WatchedRequest(name, request, simulations);
      watched.set(name, one);
      one.join(watcher);
      return { watched: one, isNew: before === undefined };
    },
    leave(one: WatchedRequest, watcher: Watcher): void {
      const { key } = watcher;
      watches -= 1;
      ofWatches.remove(key);
      one.leave(watcher);
      if (!one.isWatchedBy(key)) ofRequests.remove(key);
      if (!one.isWatched) watched.delete(one.key);
    },
    requests: () => watched.values(),
    counts: () => ({ watches, requests: watched.size }),
  };
}

/** Looks, between `begin` and `end`, whether the market has become stale, or fresh again. */
function watchStaleness(market: Pick<MarketFeed, "current">, onChange: () => void) {
  const isAvailable = () => !("unavailable" in market.current());
  let available = true;
  let looking: NodeJS.Timeout | undefined;

  function look(): void {
    const now = isAvailable();
    if (now === available) return;
    available = now;
    onChange();
  }

  return {
    begin(): void {
      if (looking !== undefined) return;
      available = isAvailable();
      looking = setInterval(look, LOOK_EVERY_MS);
      looking.unref();
    },
    end(): void {
      clearInterval(looking);
      looking = undefined;
    },
  };
}
