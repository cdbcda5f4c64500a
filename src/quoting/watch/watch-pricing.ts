import type { BlockRef } from "../../domain/block.ts";
import { refuse, SwapError } from "../../domain/errors/swap-error.ts";
import type { Quoting } from "../answer/types.ts";
import type { MarketFeed } from "../ports.ts";
import { createFairQueue } from "../search/fair-queue.ts";
import { createFairTime } from "../search/fair-time.ts";
import type { PriceState } from "./price-update.ts";
import type { WatchedRequest } from "./watched-request.ts";

/** Prices watched requests, account after account. */
export interface WatchPricing {
  /** Has a request priced soon; once more where it is being priced just now. */
  mark(watched: WatchedRequest): void;
  /** Whether a request waits for its price, or is being priced. */
  isDue(watched: WatchedRequest): boolean;
  /** Nobody watches a request any more. */
  drop(watched: WatchedRequest): void;
}

/** Searches that wait for the node (simulations for a taker's gas) do not hold up the others. */
const AT_ONCE = 4;
const NEVER = new AbortController().signal;
const DEFECT = "something went wrong inside the service - open the stream again, and report it if it happens again";

/** Options for pricing watched requests. */
interface PricingOptions {
  readonly quoting: Pick<Quoting, "price">;
  readonly market: Pick<MarketFeed, "current">;
  /** Told of what is thrown and is no SwapError: a defect. */
  readonly onDefect: (error: unknown) => void;
}

export function createWatchPricing(options: PricingOptions): WatchPricing {
  const { quoting, market, onDefect } = options;
  const queue = createFairQueue<WatchedRequest>(createFairTime());
  const work = new Map<WatchedRequest, "due" | "running" | "dueAgain">();
  let workers = 0;

  function mark(watched: WatchedRequest): void {
    const before = work.get(watched);
    if (before === "running") work.set(watched, "dueAgain");
    if (before !== undefined) return;
    work.set(watched, "due");
    queue.add(watched.account, watched);
    if (workers < AT_ONCE) void run();
  }

  async function run(): Promise<void> {
    workers += 1;
    // Not at once: one search follows another, and between them everybody else has a turn.
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const next = queue.next()?.item;
      if (next === undefined) break;
      work.set(next, "running");
      const block = blockNow();
      next.tell(await stateOf(next), block);
      const again = work.get(next) === "dueAgain";
      work.delete(next);
      if (again && next.isWatched) mark(next);
    }
    workers -= 1;
  }

  async function stateOf({ request, account, gas }: WatchedRequest): Promise<PriceState> {
    const context = { requestId: "watch", account, signal: NEVER, patient: true, knownGas: gas };
    try {
      return { kind: "price", answer: await quoting.price(request, context) };
    } catch (error) {
      if (error instanceof SwapError) return { kind: "status", refusal: error };
      onDefect(error);
      return { kind: "status", refusal: refuse("INTERNAL", DEFECT) };
    }
  }

  /** Undefined while nothing may be quoted. */
  function blockNow(): BlockRef | undefined {
    const current = market.current();
    return "unavailable" in current ? undefined : current.snapshot.block;
  }

  return {
    mark,
    isDue: (watched) => work.has(watched),
    drop(watched) {
      if (work.get(watched) === "due") work.delete(watched);
      queue.drop((other) => other === watched);
    },
  };
}
