import type { Feed } from "../market/feed/feed.ts";
import type { Logger } from "../ops/logger.ts";
import type { SearchOutcome } from "./messages.ts";
import { type Asked, LANES, SearchThread } from "./search-thread.ts";

/** First and longest wait of a slot for its next thread after one that never became ready, ms. */
const BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 30_000;

/** A slot for a thread: it has one, or gets another. */
interface Slot {
  thread: SearchThread | undefined;
  /** Whether the thread can be asked. */
  isReady: boolean;
  /** Threads in a row that never got ready. */
  failures: number;
  again: NodeJS.Timeout | undefined;
  readonly lanes: readonly Lane[];
}

/** Capacity for one search of a slot's thread. */
interface Lane {
  readonly index: number;
  state: "idle" | "busy" | { readonly heldFor: string };
}

/** A lane with its slot. */
export interface FreeLane {
  readonly slot: Slot;
  readonly lane: Lane;
}

export interface ThreadSlotsOptions {
  /** Threads that search. */
  readonly threads: number;
  /** The file that a thread runs: it makes a SearchServer of what it is told. */
  readonly entry: URL;
  readonly feed: Feed;
  readonly logger: Logger;
}

/** The threads that search, each in a slot of its own: one that ends is replaced. */
export class ThreadSlots {
  readonly #options: ThreadSlotsOptions;
  readonly #events: { readonly onFreeLane: () => void; readonly onNone: () => void };
  readonly #slots: readonly Slot[];
  #restarts = 0;
  #isOver = false;

  /** `onFreeLane`: a lane may be free; `onNone`: no thread is there or about to be. */
  constructor(options: ThreadSlotsOptions, events: { readonly onFreeLane: () => void; readonly onNone: () => void }) {
    this.#options = options;
    this.#events = events;
    this.#slots = Array.from({ length: options.threads }, () => ({
      ...{ thread: undefined, isReady: false, failures: 0, again: undefined },
      lanes: Array.from({ length: LANES }, (_, index): Lane => ({ index, state: "idle" })),
    }));
    for (const slot of this.#slots) this.#start(slot);
  }

  /** Whether a thread is there or about to be. */
  get canSearch(): boolean {
    return !this.#isOver && this.#slots.some(({ thread }) => thread !== undefined);
  }

  figures(): { readonly threads: number; readonly busy: number; readonly restarts: number } {
    return {
      threads: this.#slots.filter(({ isReady }) => isReady).length,
      busy: this.#slots.filter(({ lanes }) => lanes.some(({ state }) => state === "busy")).length,
      restarts: this.#restarts,
    };
  }

  heldFor(account: string): FreeLane | undefined {
    return this.#laneWhere(({ state }) => typeof state === "object" && state.heldFor === account);
  }

  /** A free lane of a thread that does nothing, or `behind` a search that runs. */
  free(behind: boolean): FreeLane | undefined {
    const isIdle = ({ state }: Lane) => state === "idle";
    const idle = this.#laneWhere((_, { lanes }) => lanes.every(isIdle));
    return idle ?? (behind ? this.#laneWhere(isIdle) : undefined);
  }

  /** Holds a lane for an account for a turn of the event loop: whoever then does something else first is asked again. */
  hold({ lane }: FreeLane, account: string): void {
    const held = { heldFor: account };
    lane.state = held;
    setImmediate(() => {
      if (lane.state !== held) return;
      lane.state = "idle";
      this.#events.onFreeLane();
    });
  }

  /** Makes a search in a lane, which is free again once it has settled. @throws ThreadEndedError where its thread ends before it has answered */
  async search({ slot, lane }: FreeLane, asked: Asked, signal: AbortSignal): Promise<SearchOutcome> {
    const thread = slot.thread!;
    lane.state = "busy";
    try {
      return await thread.search(asked, lane.index, signal);
    } finally {
      // A thread that has ended already freed all its lanes.
      if (slot.thread === thread) lane.state = "idle";
    }
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    for (const { again } of this.#slots) clearTimeout(again);
    await Promise.all(this.#slots.map(({ thread }) => thread?.stop()));
  }

  #laneWhere(fits: (lane: Lane, slot: Slot) => boolean): FreeLane | undefined {
    for (const slot of this.#slots) {
      const lane = slot.isReady ? slot.lanes.find((each) => fits(each, slot)) : undefined;
      if (lane !== undefined) return { slot, lane };
    }
    return undefined;
  }

  #start(slot: Slot): void {
    const { entry, feed, logger } = this.#options;
    slot.thread = new SearchThread(entry, feed, {
      onReady: () => {
        slot.isReady = true;
        slot.failures = 0;
        this.#events.onFreeLane();
      },
      onEnd: (fault, wasReady) => {
        slot.thread = undefined;
        slot.isReady = false;
        for (const lane of slot.lanes) lane.state = "idle";
        if (this.#isOver) return;
        this.#restarts += 1;
        logger.error({ err: fault }, "a search thread has ended: another one takes its place");
        this.#replace(slot, wasReady);
      },
    });
  }

  /** A thread that was of use is replaced at once; one that was never takes longer each time. */
  #replace(slot: Slot, wasReady: boolean): void {
    if (wasReady) {
      this.#start(slot);
      return;
    }
    const waitMs = Math.min(BACKOFF_MS * 2 ** slot.failures, MAX_BACKOFF_MS);
    slot.failures += 1;
    slot.again = setTimeout(() => this.#start(slot), waitMs);
    if (!this.canSearch) this.#events.onNone();
  }
}
