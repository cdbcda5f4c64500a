import { Worker } from "node:worker_threads";
import type { Feed } from "../market/feed/feed.ts";
import type { Pool } from "../pools/pool.ts";
import type { FromThread, OffersMessage, SearchMessage, SearchOutcome, ToThread } from "./messages.ts";
import { OFFERS_KEPT } from "./search-server.ts";

/** Most memory of one thread's own objects, MiB: beyond it the thread ends, and not the service. */
const MAX_HEAP_MIB = 1_024;
/**
 * Memory for short-lived objects, MiB. V8 alone would take 110 MiB more and answer no more prices (bench api,
 * ONLY=threads).
 */
const YOUNG_MIB = 24;
/** Time a search may run past its caller's deadline, or without one, until its thread counts as stuck, ms. */
const GRACE_MS = 5_000;
const LONGEST_MS = 60_000;

/** The thread has ended, or was ended, before it answered. */
export class ThreadEndedError extends Error {
  override readonly name = "ThreadEndedError";
  /** Whether it was at this search, and not at one before it. */
  readonly wasRunning: boolean;

  constructor(message: string, wasRunning: boolean) {
    super(message);
    this.wasRunning = wasRunning;
  }
}

interface Running {
  readonly resolve: (outcome: SearchOutcome) => void;
  readonly reject: (error: ThreadEndedError) => void;
  readonly timer: NodeJS.Timeout;
}

/** Search request to a thread, without the fields that the thread adds itself. */
export type Asked = Omit<SearchMessage, "id" | "offers"> & { readonly offers?: readonly Pool[] | undefined };

/** Searches that a thread has at most: one that runs, and one behind it. */
export const LANES = 2;

/**
 * A thread that follows a feed and makes one search after the other. Once it has ended it is unusable. Updates that
 * wait for it are bounded by the longest search.
 */
export class SearchThread {
  readonly #worker: Worker;
  readonly #cancelled = new Int32Array(new SharedArrayBuffer(4 * LANES));
  readonly #unfollow: () => void;
  readonly #offers = new Map<readonly Pool[], number>();
  #lastOffers = 0;
  #lastId = 0;
  readonly #running = new Map<number, Running>();
  #isReady = false;
  #fault: unknown;

  /** `onReady`: it can be asked. `onEnd`: it has ended, with what it threw if it did; `wasReady`: it could be asked before. */
  constructor(
    entry: URL,
    feed: Pick<Feed, "follow">,
    events: { readonly onReady: () => void; readonly onEnd: (fault: unknown, wasReady: boolean) => void },
  ) {
    this.#worker = new Worker(entry, {
      name: "search",
      workerData: { cancelled: this.#cancelled.buffer },
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB, maxYoungGenerationSizeMb: YOUNG_MIB },
    });
    this.#worker.on("message", (message: FromThread) => {
      if (message.kind === "done") this.#settle(message.id, message.outcome);
      else {
        this.#isReady = true;
        events.onReady();
      }
    });
    this.#worker.on("error", (error) => {
      this.#fault = error;
    });
    this.#worker.once("exit", (code) => {
      this.#unfollow();
      this.#end(`the search thread has ended with code ${code}`);
      events.onEnd(this.#fault ?? new Error(`it has ended with code ${code}`), this.#isReady);
    });
    this.#unfollow = feed.follow((bytes) => this.#tell({ kind: "feed", bytes }));
  }

  /**
   * Makes a search, behind the one of the other lane; the lane is not used again before that has settled.
   * @throws ThreadEndedError where the thread ends before, also because it takes far too long
   */
  search({ offers, ...asked }: Asked, lane: number, signal: AbortSignal): Promise<SearchOutcome> {
    this.#lastId = (this.#lastId + 1) % 2 ** 31;
    const id = this.#lastId;
    const left = Math.max(0, (asked.deadlineMs ?? Number.POSITIVE_INFINITY) - Date.now()) + GRACE_MS;
    const cancel = () => {
      Atomics.store(this.#cancelled, lane, id);
      this.#tell({ kind: "cancel", id });
    };
    const outcome = new Promise<SearchOutcome>((resolve, reject) => {
      const timer = setTimeout(() => void this.stop(), Math.min(left, LONGEST_MS));
      this.#running.set(id, { resolve, reject, timer });
    });
    signal.addEventListener("abort", cancel, { once: true });
    const told = offers && { offers: this.#offersMessage(offers) };
    this.#tell({ kind: "search", search: { ...asked, id, ...told } });
    if (signal.aborted) cancel();
    return outcome.finally(() => signal.removeEventListener("abort", cancel));
  }

  /** Ends it at once. */
  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  #tell(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  #settle(id: number, outcome: SearchOutcome): void {
    const running = this.#running.get(id);
    this.#running.delete(id);
    clearTimeout(running?.timer);
    running?.resolve(outcome);
  }

  #end(why: string): void {
    const ended = [...this.#running.values()];
    this.#running.clear();
    for (const [place, { timer, reject }] of ended.entries()) {
      clearTimeout(timer);
      reject(new ThreadEndedError(why, place === 0));
    }
  }

  /** Tells offers once: they are the same object until they change. */
  #offersMessage(pools: readonly Pool[]): OffersMessage {
    const known = this.#offers.get(pools);
    if (known !== undefined) return { number: known };
    this.#lastOffers += 1;
    this.#offers.set(pools, this.#lastOffers);
    for (const old of this.#offers.keys()) {
      if (this.#offers.size <= OFFERS_KEPT) break;
      this.#offers.delete(old);
    }
    return { number: this.#lastOffers, pools };
  }
}
