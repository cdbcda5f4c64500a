import { refuse, type SwapError } from "../domain/errors/swap-error.ts";
import type { Feed } from "../market/feed/feed.ts";
import { type MarketRules, marketOf } from "../market/feed/feed-state.ts";
import type { SearchThreadFigures } from "../ops/load-metrics.ts";
import type { Logger } from "../ops/logger.ts";
import { inSpan } from "../ops/spans.ts";
import { createFairQueue } from "../quoting/search/fair-queue.ts";
import { createFairTime } from "../quoting/search/fair-time.ts";
import type {
  AccountTurns,
  PoolFilter,
  RequestSearch,
  RouteQuery,
  RouteSearch,
  Searcher,
} from "../quoting/search/route-search.ts";
import { tooLate } from "../quoting/search/too-late.ts";
import type { RouteResult } from "../routing/router.ts";
import type { SearchOutcome } from "./messages.ts";
import { type Asked, SearchThread, ThreadEndedError } from "./search-thread.ts";

/** Times that a search is made, where its thread ends under it. */
const ATTEMPTS = 2;
/** How long a place waits for its next thread after one that never got ready: at first, and at most. */
const BACKOFF_MS = 250;
const MOST_BACKOFF_MS = 30_000;
/** What a search is taken to cost its account until that is known: a mean of those before, in which the newest has this part. */
const NEWEST_PART = 1 / 16;

export interface SearchPoolOptions {
  /** Threads that search. */
  readonly threads: number;
  /** The file that a thread runs: it makes a SearchServer of what it is told. */
  readonly entry: URL;
  readonly feed: Feed;
  /** What holds now for a state that is published late. */
  readonly rules: () => MarketRules;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** A place for a thread: it has one, or gets another. */
interface Place {
  thread: SearchThread | undefined;
  /** Whose turn it is at an idle thread. */
  state: "starting" | "idle" | "busy" | { readonly keptFor: string };
  /** Threads in a row that never got ready. */
  failures: number;
  again: NodeJS.Timeout | undefined;
}

interface Waiting {
  grant(place: Place): void;
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
  readonly #places: readonly Place[];
  #begun = 0;
  #expectedMs = 0;
  #restarts = 0;
  #isOver = false;

  constructor(options: SearchPoolOptions) {
    this.#options = options;
    this.#places = Array.from({ length: options.threads }, () => {
      return { thread: undefined, state: "starting", failures: 0, again: undefined };
    });
    this.turns = { of: this.#time.of, begin: (account) => ({ pass: this.#passFor(account, undefined) }) };
    for (const place of this.#places) this.#start(place);
  }

  begin({ account = "", deadlineMs, signal, spent }: Searcher): RequestSearch {
    const pass = this.#passFor(account, signal);
    const isOver = () => signal.aborted || this.#options.now() > (deadlineMs ?? Number.POSITIVE_INFINITY);
    const search = async (query: RouteQuery): Promise<RouteResult> => {
      for (let attempt = 1; ; attempt++) {
        let place = this.#keptFor(account);
        // Another request of the account may have taken the thread meanwhile.
        for (; place === undefined; place = this.#keptFor(account)) await pass();
        const asked = this.#askedFor(query, deadlineMs);
        try {
          return resultOf(await this.#search(place, account, asked, signal), spent);
        } catch (error) {
          if (!(error instanceof ThreadEndedError)) throw error;
          if (attempt === ATTEMPTS) throw refuse("UNAVAILABLE", "the search was given up twice - try again");
        }
      }
    };
    return { pass, findBest: (query) => inSpan("search", {}, () => search(query)), isOver };
  }

  /** Beside each other: those that can search, those that do, and requests that wait for one. */
  figures(): SearchThreadFigures {
    return {
      threads: this.#places.filter(({ thread, state }) => thread !== undefined && state !== "starting").length,
      busy: this.#places.filter(({ state }) => state === "busy").length,
      waiting: this.#waiting.size,
      restarts: this.#restarts,
    };
  }

  /** Ends all threads, and refuses who waits for one. */
  async stop(): Promise<void> {
    this.#isOver = true;
    this.#refuseAll();
    for (const { again } of this.#places) clearTimeout(again);
    await Promise.all(this.#places.map(({ thread }) => thread?.stop()));
  }

  #start(place: Place): void {
    place.state = "starting";
    const { entry, feed, logger } = this.#options;
    place.thread = new SearchThread(entry, feed, {
      onReady: () => {
        place.state = "idle";
        place.failures = 0;
        this.#grantNext();
      },
      onEnd: (fault, wasReady) => {
        place.thread = undefined;
        place.state = "starting";
        if (this.#isOver) return;
        this.#restarts += 1;
        logger.error({ err: fault }, "a search thread has ended: another one takes its place");
        this.#replace(place, wasReady);
      },
    });
  }

  /** A thread that was of use is replaced at once; one that was never takes longer each time. */
  #replace(place: Place, wasReady: boolean): void {
    if (wasReady) {
      this.#start(place);
      return;
    }
    const waitMs = Math.min(BACKOFF_MS * 2 ** place.failures, MOST_BACKOFF_MS);
    place.failures += 1;
    place.again = setTimeout(() => this.#start(place), waitMs);
    if (!this.#canSearch()) this.#refuseAll();
  }

  #canSearch(): boolean {
    return !this.#isOver && this.#places.some(({ thread }) => thread !== undefined);
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
      if (this.#keptFor(account) !== undefined) return Promise.resolve();
      if (signal?.aborted) return Promise.reject(tooLate());
      if (!this.#canSearch()) return Promise.reject(noThread());
      return this.#turn(account, rank, signal);
    };
  }

  #turn(account: string, rank: number, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      for (const { refuse } of this.#waiting.drop((item) => item === waiting)) refuse(tooLate());
    };
    const waiting: Waiting = {
      grant: (place) => {
        signal?.removeEventListener("abort", leave);
        this.#keepFor(place, account);
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

  #keptFor(account: string): Place | undefined {
    return this.#places.find(({ state }) => typeof state === "object" && state.keptFor === account);
  }

  /** The thread waits for the account for a turn of the event loop: whoever then does something else first is asked again. */
  #keepFor(place: Place, account: string): void {
    const kept = { keptFor: account };
    place.state = kept;
    setImmediate(() => {
      if (place.state !== kept) return;
      place.state = "idle";
      this.#grantNext();
    });
  }

  #grantNext(): void {
    for (const place of this.#places) {
      if (place.state !== "idle") continue;
      const next = this.#waiting.next();
      if (next === undefined) return;
      this.#time.served(next.who);
      next.item.grant(place);
    }
  }

  async #search(place: Place, account: string, asked: Asked, signal: AbortSignal): Promise<SearchOutcome> {
    const thread = place.thread!;
    const expected = this.#expectedMs;
    place.state = "busy";
    // Charged beforehand: an account that has one thread does not get the next one for that alone.
    this.#time.charge(account, expected);
    try {
      const outcome = await thread.search(asked, signal);
      const ms = outcome.kind === "answered" ? outcome.ms : 0;
      this.#time.charge(account, ms - expected);
      this.#expectedMs += (ms - expected) * NEWEST_PART;
      return outcome;
    } finally {
      if (place.thread === thread) {
        place.state = "idle";
        this.#grantNext();
      }
    }
  }

  #askedFor({ snapshot, pools, budget, ...query }: RouteQuery, deadlineMs: number | undefined): Asked {
    const { feed, rules } = this.#options;
    const market = marketOf(snapshot);
    const state = feed.stateOf(market.graph) ?? feed.publish(market, rules());
    const { off, keptOut, ...own } = pools;
    // Whoever asks may have put more into a budget, which is no data.
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
      throw refuse("UNAVAILABLE", "the block that was searched is too far back by now - try again");
  }
}

function noThread(): SwapError {
  return refuse("UNAVAILABLE", "no thread can search at the moment - try again");
}
