import type { BlockRef } from "../../domain/block.ts";
import { refuse, SwapError } from "../../domain/errors/swap-error.ts";
import type { Quoting, SwapRequest } from "../answer/answers.ts";
import type { MarketFeed } from "../ports.ts";
import { createFairQueue } from "../search/fair-queue.ts";
import { createFairTime } from "../search/fair-time.ts";
import { requestKey } from "../search/request-key.ts";
import { fingerprint, type PriceState, type PriceUpdate } from "./price-update.ts";
import { createSimulationTurns, type WatchedGas } from "./simulation-turns.ts";
import { createShares, type Watcher } from "./watch-shares.ts";

/** What watching may cost, and how often it tells that nothing has changed. */
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

/** One request that somebody watches. */
interface Watched {
  readonly key: string;
  readonly request: SwapRequest;
  readonly wakers: Set<() => void>;
  /** Open watches of this request by key, and whose keys those are; never empty. */
  readonly watchers: Map<string, { readonly account: string; watches: number }>;
  readonly gas: WatchedGas;
  state: PriceState | undefined;
  /** The newest block that it was priced at. */
  block: BlockRef | undefined;
  /** Grows with each change of the state. */
  version: number;
  work: "none" | "due" | "running" | "dueAgain";
}

/** Searches that wait for the node (simulations for a taker's gas) do not hold up the others. */
const AT_ONCE = 4;
/** A market becomes stale by time alone: no snapshot tells it. */
const LOOK_EVERY_MS = 1_000;
const NEVER = new AbortController().signal;

/** Watches over one market: a request is priced once for a block, however many watch it. */
export function createPriceWatches(options: {
  readonly quoting: Pick<Quoting, "price">;
  readonly market: Pick<MarketFeed, "current" | "onSnapshot">;
  readonly limits?: WatchLimits;
  /** Told of what is thrown and is no SwapError: a defect. */
  readonly onDefect: (error: unknown) => void;
}): PriceWatches {
  const { quoting, market, limits = DEFAULT_WATCH_LIMITS } = options;
  const watched = new Map<string, Watched>();
  const due = createFairQueue<Watched>(createFairTime());
  const shares = {
    watches: createShares({
      inAll: limits.mostWatches,
      perKey: limits.mostWatchesPerKey,
      name: "streams of prices open",
    }),
    requests: createShares({
      ...{ inAll: limits.mostRequests, perKey: limits.mostRequestsPerKey, name: "different requests watched" },
    }),
  };
  const simulations = createSimulationTurns(limits.simulationsPerSecond, () => performance.now());
  let watches = 0;
  let workers = 0;
  let available = true;
  let looking: NodeJS.Timeout | undefined;

  const stopListening = market.onSnapshot(() => markAll());

  function markAll(): void {
    for (const one of watched.values()) mark(one);
  }

  function mark(one: Watched): void {
    if (one.work === "running") one.work = "dueAgain";
    if (one.work !== "none") return;
    one.work = "due";
    due.add(accountOf(one.watchers), one);
    if (workers < AT_ONCE) void work();
  }

  async function work(): Promise<void> {
    workers += 1;
    // Not at once: one search follows another, and between them everybody else has a turn.
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const next = due.next()?.item;
      if (next === undefined) break;
      next.work = "running";
      const block = blockNow();
      tell(next, await stateOf(next), block);
      const again = (next.work as Watched["work"]) === "dueAgain";
      next.work = "none";
      if (again && watched.has(next.key)) mark(next);
    }
    workers -= 1;
  }

  async function stateOf(one: Watched): Promise<PriceState> {
    const context = {
      requestId: "watch",
      account: accountOf(one.watchers),
      signal: NEVER,
      patient: true,
      knownGas: one.gas,
    };
    try {
      return { kind: "price", answer: await quoting.price(one.request, context) };
    } catch (error) {
      if (error instanceof SwapError) return { kind: "status", refusal: error };
      options.onDefect(error);
      return { kind: "status", refusal: refuse("INTERNAL", "something went wrong inside the service") };
    }
  }

  /** Undefined while nothing may be quoted. */
  function blockNow(): BlockRef | undefined {
    const current = market.current();
    return "unavailable" in current ? undefined : current.snapshot.block;
  }

  /** `block`: the newest when the pricing began. A price names its own. */
  function tell(one: Watched, state: PriceState, block: BlockRef | undefined): void {
    if (one.state === undefined || fingerprint(one.state) !== fingerprint(state)) one.version += 1;
    one.state = state;
    one.block = state.kind === "price" ? state.answer.block : (block ?? one.block);
    for (const wake of one.wakers) wake();
  }

  /** Looks whether the market has become stale, or fresh again. */
  function look(): void {
    const now = !("unavailable" in market.current());
    if (now === available) return;
    available = now;
    markAll();
  }

  /** @throws SwapError when there is no room for it */
  function enter(request: SwapRequest, { key, account }: Watcher): Watched {
    const name = requestKey(request);
    const before = watched.get(name);
    shares.watches.admit(key, watches);
    // To watch what others watch as well costs no search.
    if (before?.watchers.has(key) !== true) {
      shares.requests.admit(key, before === undefined ? watched.size : 0);
      shares.requests.add(key);
    }
    shares.watches.add(key);
    watches += 1;
    const one = before ?? begin(name, request);
    const watcher = one.watchers.get(key) ?? { account, watches: 0 };
    watcher.watches += 1;
    one.watchers.set(key, watcher);
    if (before === undefined) mark(one);
    if (looking === undefined) {
      available = !("unavailable" in market.current());
      looking = setInterval(look, LOOK_EVERY_MS);
      looking.unref();
    }
    return one;
  }

  function begin(name: string, request: SwapRequest): Watched {
    const watchers: Watched["watchers"] = new Map();
    const gas = simulations.gasFor(() => accountOf(watchers));
    const one: Watched = {
      ...{ key: name, request, watchers, gas, wakers: new Set() },
      ...{ state: undefined, block: undefined, version: 0, work: "none" },
    };
    watched.set(name, one);
    return one;
  }

  function leave(one: Watched, { key }: Watcher): void {
    watches -= 1;
    shares.watches.remove(key);
    const watcher = one.watchers.get(key);
    if (watcher !== undefined) watcher.watches -= 1;
    if (watcher?.watches === 0) {
      one.watchers.delete(key);
      shares.requests.remove(key);
    }
    if (one.watchers.size > 0) return;
    watched.delete(one.key);
    due.drop((other) => other === one);
    one.gas.end();
    if (watched.size > 0) return;
    clearInterval(looking);
    looking = undefined;
  }

  async function* open(
    request: SwapRequest,
    signal: AbortSignal,
    watcher: Watcher,
  ): AsyncGenerator<PriceUpdate, void, undefined> {
    const one = enter(request, watcher);
    try {
      let told = 0;
      let sentAt = performance.now();
      // Whoever comes while the request is being priced waits for that once, instead of getting the block before.
      let waits = one.work !== "none";
      while (!signal.aborted) {
        if (one.state !== undefined && one.version > told && !waits) {
          told = one.version;
          yield one.state;
          sentAt = performance.now();
        } else {
          // A block that changes nothing sends nothing, and so does not put off the heartbeat.
          const left = sentAt + limits.heartbeatMs - performance.now();
          const happened = left > 0 && (await woken(one, signal, left));
          waits &&= !happened;
          if (happened) continue;
          yield { kind: "heartbeat", block: one.block };
          sentAt = performance.now();
        }
      }
    } finally {
      leave(one, watcher);
    }
  }

  return {
    open,
    counts: () => ({ watches, requests: watched.size }),
    stop() {
      stopListening();
      clearInterval(looking);
    },
  };
}

/** At whose expense a request is priced: the one of those that watch it who came first. */
function accountOf(watchers: Watched["watchers"]): string {
  const [first] = watchers.values();
  return first?.account ?? "";
}

/** Waits for the next pricing, for the end, or for `timeoutMs`. False when nothing has happened. */
function woken(one: Watched, signal: AbortSignal, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const done = (happened: boolean) => {
      clearTimeout(timer);
      one.wakers.delete(wake);
      signal.removeEventListener("abort", wake);
      resolve(happened);
    };
    const wake = () => done(true);
    const timer = setTimeout(() => done(false), timeoutMs);
    one.wakers.add(wake);
    signal.addEventListener("abort", wake, { once: true });
  });
}
