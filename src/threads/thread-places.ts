import type { Feed } from "../market/feed/feed.ts";
import type { Logger } from "../ops/logger.ts";
import type { SearchOutcome } from "./messages.ts";
import { type Asked, LANES, SearchThread } from "./search-thread.ts";

/** First and longest wait of a place for its next thread after one that never became ready, ms. */
const BACKOFF_MS = 250;
const MOST_BACKOFF_MS = 30_000;

/** A place for a thread: it has one, or gets another. */
interface Place {
  thread: SearchThread | undefined;
  /** Whether the thread can be asked. */
  isReady: boolean;
  /** Threads in a row that never got ready. */
  failures: number;
  again: NodeJS.Timeout | undefined;
  readonly lanes: readonly Lane[];
}

/** Room for one search of a place's thread. */
interface Lane {
  readonly index: number;
  state: "idle" | "busy" | { readonly keptFor: string };
}

/** A lane with its place. */
export interface Room {
  readonly place: Place;
  readonly lane: Lane;
}

export interface PlacesOptions {
  /** Threads that search. */
  readonly threads: number;
  /** The file that a thread runs: it makes a SearchServer of what it is told. */
  readonly entry: URL;
  readonly feed: Feed;
  readonly logger: Logger;
}

/** The threads that search, each in a place of its own: one that ends is replaced. */
export class ThreadPlaces {
  readonly #options: PlacesOptions;
  readonly #events: { readonly onRoom: () => void; readonly onNone: () => void };
  readonly #places: readonly Place[];
  #restarts = 0;
  #isOver = false;

  /** `onRoom`: there may be room for one more search; `onNone`: no thread is there or about to be. */
  constructor(options: PlacesOptions, events: { readonly onRoom: () => void; readonly onNone: () => void }) {
    this.#options = options;
    this.#events = events;
    this.#places = Array.from({ length: options.threads }, () => ({
      ...{ thread: undefined, isReady: false, failures: 0, again: undefined },
      lanes: Array.from({ length: LANES }, (_, index): Lane => ({ index, state: "idle" })),
    }));
    for (const place of this.#places) this.#start(place);
  }

  /** Whether a thread is there or about to be. */
  get canSearch(): boolean {
    return !this.#isOver && this.#places.some(({ thread }) => thread !== undefined);
  }

  figures(): { readonly threads: number; readonly busy: number; readonly restarts: number } {
    return {
      threads: this.#places.filter(({ isReady }) => isReady).length,
      busy: this.#places.filter(({ lanes }) => lanes.some(({ state }) => state === "busy")).length,
      restarts: this.#restarts,
    };
  }

  keptFor(account: string): Room | undefined {
    return this.#roomWhere(({ state }) => typeof state === "object" && state.keptFor === account);
  }

  /** Room at a thread that does nothing, or `behind` a search that runs. */
  free(behind: boolean): Room | undefined {
    const isIdle = ({ state }: Lane) => state === "idle";
    const idle = this.#roomWhere((_, { lanes }) => lanes.every(isIdle));
    return idle ?? (behind ? this.#roomWhere(isIdle) : undefined);
  }

  /** Keeps room for an account for a turn of the event loop: whoever then does something else first is asked again. */
  keep({ lane }: Room, account: string): void {
    const kept = { keptFor: account };
    lane.state = kept;
    setImmediate(() => {
      if (lane.state !== kept) return;
      lane.state = "idle";
      this.#events.onRoom();
    });
  }

  /** Makes a search where there is room; there is again once it has settled. @throws ThreadEndedError where its thread ends before it has answered */
  async search({ place, lane }: Room, asked: Asked, signal: AbortSignal): Promise<SearchOutcome> {
    const thread = place.thread!;
    lane.state = "busy";
    try {
      return await thread.search(asked, lane.index, signal);
    } finally {
      // A thread that has ended already freed all its lanes.
      if (place.thread === thread) lane.state = "idle";
    }
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    for (const { again } of this.#places) clearTimeout(again);
    await Promise.all(this.#places.map(({ thread }) => thread?.stop()));
  }

  #roomWhere(fits: (lane: Lane, place: Place) => boolean): Room | undefined {
    for (const place of this.#places) {
      const lane = place.isReady ? place.lanes.find((each) => fits(each, place)) : undefined;
      if (lane !== undefined) return { place, lane };
    }
    return undefined;
  }

  #start(place: Place): void {
    const { entry, feed, logger } = this.#options;
    place.thread = new SearchThread(entry, feed, {
      onReady: () => {
        place.isReady = true;
        place.failures = 0;
        this.#events.onRoom();
      },
      onEnd: (fault, wasReady) => {
        place.thread = undefined;
        place.isReady = false;
        for (const lane of place.lanes) lane.state = "idle";
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
    if (!this.canSearch) this.#events.onNone();
  }
}
