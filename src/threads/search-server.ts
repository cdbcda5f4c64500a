import type { FeedState, MarketState } from "../market/feed/feed-state.ts";
import { FeedFollower } from "../market/feed/follower.ts";
import { withPools } from "../market/indicative.ts";
import type { Pool } from "../pools/pool.ts";
import { requestOf } from "../quoting/search/search-in-thread.ts";
import type { Router } from "../routing/router.ts";
import { decodeUpdate } from "../snapshot/feed-codec.ts";
import type { FromThread, OffersMessage, SearchMessage, SearchOutcome, ToThread } from "./messages.ts";

/** Lists of offers that are remembered: those that the asking side refers to by their numbers, and as many again. */
export const OFFERS_KEPT = 4;

/** Offers, with the markets that they have been laid over: the router knows a graph again by the object. */
interface Offers {
  readonly pools: readonly Pool[];
  readonly laidOver: WeakMap<FeedState, MarketState>;
}

/**
 * Answers searches over the states of a feed, one after the other. `cancelled` holds ids of searches that nobody waits for any
 * more: it is looked at while one runs.
 */
export class SearchServer {
  readonly #router: Router;
  readonly #cancelled: Int32Array;
  readonly #tell: (message: FromThread) => void;
  readonly #follower = new FeedFollower();
  readonly #offers = new Map<number, Offers>();
  /** Searches whose states are still to come. */
  #early: SearchMessage[] = [];

  constructor(router: Router, cancelled: Int32Array, tell: (message: FromThread) => void) {
    this.#router = router;
    this.#cancelled = cancelled;
    this.#tell = tell;
  }

  /** @throws RangeError where the feed does not follow on itself: the thread is unusable from then on */
  take(message: ToThread): void {
    switch (message.kind) {
      case "feed":
        this.#follow(message.bytes);
        break;
      case "search":
        this.#ask(message.search);
        break;
      case "cancel":
        this.#cancel(message.id);
    }
  }

  #follow(bytes: Uint8Array): void {
    const follower = this.#follower;
    const state = follower.take(decodeUpdate(bytes, (slot) => follower.poolAt(slot)));
    if (state === undefined) return;
    for (const search of this.#early.splice(0)) this.#ask(search);
  }

  #ask(search: SearchMessage): void {
    if (search.offers !== undefined) this.#remember(search.offers);
    if ((this.#follower.newest?.sequence ?? 0) < search.sequence) {
      this.#early.push(search);
      return;
    }
    const state = this.#follower.state(search.sequence, search.blockHash);
    this.#done(search.id, state === undefined ? { kind: "unknownState" } : this.#search(search, state));
  }

  #cancel(id: number): void {
    const at = this.#early.findIndex((search) => search.id === id);
    if (at < 0) return;
    this.#early.splice(at, 1);
    this.#done(id, { kind: "unknownState" });
  }

  #done(id: number, outcome: SearchOutcome): void {
    this.#tell({ kind: "done", id, outcome });
  }

  #search(
    { id, deadlineMs = Number.POSITIVE_INFINITY, offers, ...query }: SearchMessage,
    state: FeedState,
  ): SearchOutcome {
    const begun = performance.now();
    let steps = 0;
    const pools = { off: state.off, keptOut: state.keptOut, ...query.pools };
    try {
      const snapshot = offers === undefined ? state.market : this.#laidOver(offers.number, state);
      const request = requestOf(
        { ...query, snapshot, pools },
        {
          expired: () => this.#isCancelled(id) || Date.now() > deadlineMs,
          spent: (taken) => {
            steps += taken;
          },
        },
      );
      const result = this.#router.findBest(request);
      return { kind: "answered", result, steps, ms: performance.now() - begun };
    } catch (error) {
      return { kind: "threw", error };
    }
  }

  #isCancelled(id: number): boolean {
    for (let lane = 0; lane < this.#cancelled.length; lane++)
      if (Atomics.load(this.#cancelled, lane) === id) return true;
    return false;
  }

  #remember({ number, pools }: OffersMessage): void {
    if (pools === undefined || this.#offers.has(number)) return;
    this.#offers.set(number, { pools, laidOver: new WeakMap() });
    for (const old of this.#offers.keys()) {
      if (this.#offers.size <= 2 * OFFERS_KEPT) break;
      this.#offers.delete(old);
    }
  }

  #laidOver(number: number, state: FeedState): MarketState {
    const offers = this.#offers.get(number);
    if (offers === undefined) throw new RangeError(`offers ${number} were never told`);
    let market = offers.laidOver.get(state);
    if (market === undefined) {
      market = { ...state.market, graph: withPools(state.market.graph, offers.pools) };
      offers.laidOver.set(state, market);
    }
    return market;
  }
}
