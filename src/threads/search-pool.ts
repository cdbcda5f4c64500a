import { refuse, type SwapError } from "../domain/errors/swap-error.ts";
import { marketOf } from "../market/feed/feed-state.ts";
import type { SearchThreadFigures } from "../ops/load-metrics.ts";
import { inSpan } from "../ops/spans.ts";
import { createFairQueue } from "../quoting/search/fair-queue.ts";
import { createFairTime } from "../quoting/search/fair-time.ts";
import { deadlinePassed } from "../quoting/search/past-deadline.ts";
import type {
  AccountTurns,
  PoolFilter,
  RequestSearch,
  RouteQuery,
  RouteSearch,
  Searcher,
} from "../quoting/search/route-search.ts";
import type { RouteResult } from "../routing/router.ts";
import type { SearchOutcome } from "./messages.ts";
import { type Asked, ThreadEndedError } from "./search-thread.ts";
import { type FreeLane, ThreadSlots, type ThreadSlotsOptions } from "./thread-slots.ts";

/** Times that a search is made, where its thread ends under it. */
const ATTEMPTS = 2;
/** Weight of the newest search in the moving average that estimates a search's cost. */
const NEWEST_PART = 1 / 16;
/** Milliseconds that searches take on average up to which the next one waits in the thread: none stands idle meanwhile. */
const SHORT_MS = 5;

export interface SearchPoolOptions extends ThreadSlotsOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

interface Waiting {
  grant(lane: FreeLane): void;
  refuse(error: SwapError): void;
}

/**
 * Searches in threads of their own. A free thread goes to the account that has used least of them, and there to the request
 * that began first. A thread that ends is replaced and its search made once more, by whichever is free.
 */
export class SearchPool implements RouteSearch {
  readonly turns: AccountTurns;
  readonly #options: SearchPoolOptions;
  readonly #time = createFairTime();
  readonly #waiting = createFairQueue<Waiting>(this.#time);
  readonly #slots: ThreadSlots;
  /** Searches that nobody waits for: they end where a request wants their thread. */
  readonly #spare = new Set<AbortController>();
  #begun = 0;
  #expectedMs = 0;

  constructor(options: SearchPoolOptions) {
    this.#options = options;
    this.#slots = new ThreadSlots(options, {
      onFreeLane: () => this.#grantNext(),
      onNone: () => this.#refuseAll(),
    });
    this.turns = { of: this.#time.of, begin: (account) => ({ pass: this.#passFor(account, undefined) }) };
  }

  begin({ account = "", deadlineMs, signal, spent, known }: Searcher): RequestSearch {
    const pass = this.#passFor(account, signal);
    const isOver = () => signal.aborted || this.#options.now() > (deadlineMs ?? Number.POSITIVE_INFINITY);
    const search = async (query: RouteQuery): Promise<RouteResult> => {
      for (let ended = 0; ; ) {
        let lane = this.#slots.heldFor(account);
        // Another request of the account may have taken the thread meanwhile.
        for (; lane === undefined; lane = this.#slots.heldFor(account)) await pass();
        const asked = this.#askedFor(query, deadlineMs);
        try {
          return resultOf(await this.#search(lane, account, asked, signal), spent);
        } catch (error) {
          if (!(error instanceof ThreadEndedError)) throw error;
          // One that only waited behind another has no part in the thread's end.
          if (error.wasRunning) ended += 1;
          if (ended === ATTEMPTS) throw refuse("UNAVAILABLE", "the search was given up twice - try again");
        }
      }
    };
    const findBest = (query: RouteQuery) => inSpan("search", {}, () => search(query));
    return { pass, findBest, isOver, ...(known && { known }) };
  }

  async findSpare(query: RouteQuery): Promise<RouteResult | undefined> {
    const lane = this.#waiting.size === 0 ? this.#slots.free(false) : undefined;
    if (lane === undefined) return undefined;
    const spare = new AbortController();
    this.#spare.add(spare);
    try {
      const outcome = await this.#slots.search(lane, this.#askedFor(query, undefined), spare.signal);
      if (outcome.kind === "threw") throw outcome.error;
      return outcome.kind === "answered" && !spare.signal.aborted ? outcome.result : undefined;
    } catch (error) {
      if (error instanceof ThreadEndedError) return undefined;
      throw error;
    } finally {
      this.#spare.delete(spare);
      this.#grantNext();
    }
  }

  /** Threads that can search, those that do, and requests that wait for one. */
  figures(): SearchThreadFigures {
    return { ...this.#slots.figures(), waiting: this.#waiting.size };
  }

  /** Ends all threads, and refuses who waits for one. */
  async stop(): Promise<void> {
    const stopped = this.#slots.stop();
    this.#refuseAll();
    await stopped;
  }

  #refuseAll(): void {
    for (let next = this.#waiting.next(); next !== undefined; next = this.#waiting.next()) {
      next.item.refuse(noThread());
    }
  }

  /** The turns of a request: those of one account are granted in the order in which their requests have begun. */
  #passFor(account: string, signal: AbortSignal | undefined): RequestSearch["pass"] {
    this.#begun += 1;
    const rank = this.#begun;
    return () => {
      if (this.#slots.heldFor(account) !== undefined) return Promise.resolve();
      if (signal?.aborted) return Promise.reject(deadlinePassed());
      if (!this.#slots.canSearch) return Promise.reject(noThread());
      return this.#turn(account, rank, signal);
    };
  }

  #turn(account: string, rank: number, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (this.#slots.free(false) === undefined) for (const spare of this.#spare) spare.abort();
    const leave = () => {
      for (const { refuse } of this.#waiting.drop((item) => item === waiting)) refuse(deadlinePassed());
    };
    const waiting: Waiting = {
      grant: (lane) => {
        signal?.removeEventListener("abort", leave);
        this.#slots.hold(lane, account);
        resolve();
      },
      refuse: (error) => {
        signal?.removeEventListener("abort", leave);
        reject(error);
      },
    };
    signal?.addEventListener("abort", leave, { once: true });
    this.#waiting.add(account, waiting, rank);
    this.#grantNext();
    return promise;
  }

  #grantNext(): void {
    const free = () => this.#slots.free(this.#expectedMs <= SHORT_MS);
    for (let lane = free(); lane !== undefined; lane = free()) {
      const next = this.#waiting.next();
      if (next === undefined) return;
      this.#time.served(next.who);
      next.item.grant(lane);
    }
  }

  async #search(lane: FreeLane, account: string, asked: Asked, signal: AbortSignal): Promise<SearchOutcome> {
    const expected = this.#expectedMs;
    const begun = performance.now();
    let ms = 0;
    // Charged beforehand: an account that has one thread does not get the next one for that alone.
    this.#time.charge(account, expected);
    try {
      const outcome = await this.#slots.search(lane, asked, signal);
      if (outcome.kind === "answered") ms = outcome.ms;
      return outcome;
    } catch (error) {
      ms = performance.now() - begun;
      throw error;
    } finally {
      this.#time.charge(account, ms - expected);
      this.#expectedMs += (ms - expected) * NEWEST_PART;
      this.#grantNext();
    }
  }

  /** @throws SwapError where the snapshot was never published: it is told in the order of blocks, or not at all */
  #askedFor({ snapshot, pools, budget, ...query }: RouteQuery, deadlineMs: number | undefined): Asked {
    const market = marketOf(snapshot);
    const state = this.#options.feed.stateOf(market.graph);
    if (state === undefined) throw unknownBlock();
    const { off, keptOut, ...own } = pools;
    // A caller's budget may hold more fields, which are no data.
    const { maxHops, maxFills, maxSteps } = budget;
    const otherwise: Partial<PoolFilter> = {
      ...(off !== state.off && { off }),
      ...(keptOut !== state.keptOut && { keptOut }),
    };
    return {
      ...query,
      budget: { maxHops, maxFills, maxSteps },
      sequence: state.sequence,
      blockHash: market.block.hash,
      pools: { ...own, ...otherwise },
      ...(snapshot.offers && { offers: snapshot.offers.pools }),
      ...(deadlineMs !== undefined && { deadlineMs }),
    };
  }
}

/** @throws SwapError where the state is gone, or what the search threw */
function resultOf(outcome: SearchOutcome, spent: Searcher["spent"]): RouteResult {
  switch (outcome.kind) {
    case "answered":
      spent?.(outcome.steps);
      return outcome.result;
    case "threw":
      throw outcome.error;
    case "unknownState":
      throw unknownBlock();
  }
}

function unknownBlock(): SwapError {
  return refuse("UNAVAILABLE", "the block of the search is too old by now - try again");
}

function noThread(): SwapError {
  return refuse("UNAVAILABLE", "no thread can search at the moment - try again");
}
