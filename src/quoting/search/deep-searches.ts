import type { Route } from "../../domain/route.ts";
import { pairKey } from "../../market/known-routes.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import type { RouteQuery, RouteSearch } from "./route-search.ts";

export interface DeepSearchOptions {
  /** Requests of one block that are searched in the next: those asked for last. */
  readonly mostPerBlock: number;
  /** Searches where no request wants to. */
  readonly findSpare: NonNullable<RouteSearch["findSpare"]>;
  /** Lets searches of the blocks to come begin with a route. */
  readonly record: (route: Route, blockNumber: bigint) => void;
  /** Told of a search that threw. */
  readonly onDefect: (error: unknown) => void;
}

/**
 * Deep searches beside requests: what was asked for in one block is searched again in the next, many times as long, where threads
 * would be idle. The routes are what searches of later blocks begin with; no answer waits for them.
 */
export class DeepSearches {
  readonly #options: DeepSearchOptions;
  /** By pair, order and size, the oldest first. */
  readonly #asked = new Map<string, RouteQuery>();
  #open: readonly RouteQuery[] = [];
  #newest: Snapshot | undefined;
  #isRunning = false;

  constructor(options: DeepSearchOptions) {
    this.#options = options;
  }

  /** A request was searched. */
  asked(query: RouteQuery): void {
    const key = keyOf(query);
    this.#asked.delete(key);
    this.#asked.set(key, query);
    const [oldest] = this.#asked.keys();
    if (oldest !== undefined && this.#asked.size > this.#options.mostPerBlock) this.#asked.delete(oldest);
  }

  /** A block was published. What is left of the one before is dropped. */
  follow(snapshot: Snapshot): void {
    this.#newest = snapshot;
    this.#open = [...this.#asked].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, query]) => query);
    this.#asked.clear();
    if (!this.#isRunning) void this.#run().catch(this.#options.onDefect);
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    try {
      for (let next = this.#next(); next !== undefined; next = this.#next()) {
        const result = await this.#options.findSpare(next);
        // Requests want the threads for themselves.
        if (result === undefined) this.#open = [];
        // A block may have been published meanwhile: what was found is known from the next one on.
        else if (result.found && this.#newest !== undefined)
          this.#options.record(result.route, this.#newest.block.number);
      }
    } finally {
      this.#isRunning = false;
    }
  }

  #next(): RouteQuery | undefined {
    const [first, ...others] = this.#open;
    this.#open = others;
    return first && this.#newest && { ...first, snapshot: this.#newest, isDeep: true };
  }
}

/** Amounts of one size differ by a factor of less than four. */
function keyOf({ order }: RouteQuery): string {
  const amount = order.kind === "exactIn" ? order.sellAmount : order.buyAmount;
  return `${pairKey(order.sellToken, order.buyToken)} ${order.kind} ${Math.ceil(amount.toString(2).length / 2)}`;
}
