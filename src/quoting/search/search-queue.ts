import { AsyncLocalStorage } from "node:async_hooks";
import { refuse, type SwapError } from "../../domain/errors/swap-error.ts";
import type { CallContext, Quoting } from "../answer/types.ts";
import { createFairQueue } from "./fair-queue.ts";
import { deadlinePassed } from "./past-deadline.ts";
import type { AccountTurns } from "./route-search.ts";

/** Limits on simultaneous searches. */
export interface LoadLimits {
  /** Prices and quotes that are being worked on, most of the time waiting for the node, or for a thread. */
  readonly atOnce: number;
  /** Those that wait for their turn. One more is refused at once. */
  readonly mostWaiting: number;
}

/** Quoting whose prices and quotes wait for their turn. */
export interface SearchQueue {
  readonly quoting: Quoting;
  /** Prices and quotes that are worked on, and those that wait. */
  counts(): { readonly running: number; readonly waiting: number };
}

interface Waiting {
  readonly context: CallContext;
  start(): void;
  refuse(error: SwapError): void;
}

/** An account has at most so many times the free places: however many accounts are busy, some are free for one more. */
const OF_FREE = 3;

/**
 * Gives each price and quote its turn, by account as they have used the threads and first come first served in each, and
 * refuses what would have to wait too long, of too many the newest of the account with most. An account's places are bound
 * by a dynamic threshold (Choudhury and Hahne, 1998). Who has left is passed over.
 */
export function queueSearches(quoting: Quoting, limits: LoadLimits, turns: AccountTurns): SearchQueue {
  const waiting = createFairQueue<Waiting>(turns);
  /** Places in use, of accounts that have any. */
  const places = new Map<string, number>();
  let running = 0;
  let scheduled = false;

  const mayEnter = (account: string) => (places.get(account) ?? 0) < OF_FREE * (limits.atOnce - running);

  /** One begins in a turn of the event loop: whatever has arrived meanwhile is then in the queue, where it can be counted. */
  function schedule(): void {
    if (scheduled || waiting.size === 0 || running >= limits.atOnce) return;
    scheduled = true;
    setImmediate(startNext);
  }

  function startNext(): void {
    scheduled = false;
    for (let next = waiting.next(mayEnter); next !== undefined; next = waiting.next(mayEnter)) {
      if (!next.item.context.signal.aborted) {
        next.item.start();
        schedule();
        return;
      }
      next.item.refuse(deadlinePassed());
    }
  }

  function occupy(account: string): void {
    running += 1;
    places.set(account, (places.get(account) ?? 0) + 1);
  }

  function leave(account: string): void {
    running -= 1;
    const left = (places.get(account) ?? 0) - 1;
    if (left > 0) places.set(account, left);
    else places.delete(account);
    schedule();
  }

  /** Skips callers that have left: they keep no place from others. */
  function passOverLeft(): void {
    for (const { refuse } of waiting.drop(({ context }) => context.signal.aborted)) refuse(deadlinePassed());
  }

  /** Whether there is room for one more of an account, made at the cost of one that has more where need be. */
  function hasRoomFor(account: string): boolean {
    if (waiting.size >= limits.mostWaiting) passOverLeft();
    if (waiting.size < limits.mostWaiting) return true;
    const other = waiting.yieldTo(account, ({ context }) => context.patient !== true);
    other?.refuse(overloaded());
    return other !== undefined;
  }

  function inTurn<T>(context: CallContext, work: () => Promise<T>): Promise<T> {
    const { account = "" } = context;
    if (context.patient !== true && !hasRoomFor(account)) return Promise.reject(overloaded());
    return new Promise((resolve, reject) => {
      const start = () => {
        occupy(account);
        // The snapshot is taken once a thread is there for it.
        const inItsTurn = turns
          .begin(account)
          .pass()
          .then(() => {
            if (context.signal.aborted) throw deadlinePassed();
            return work();
          });
        inItsTurn.then(resolve, reject).finally(() => leave(account));
      };
      // Its turn comes in somebody else's call: what belongs to its own call is traced there.
      waiting.add(account, { context, start: AsyncLocalStorage.bind(start), refuse: reject });
      schedule();
    });
  }

  return {
    quoting: {
      ...quoting,
      price: (request, context) => inTurn(context, () => quoting.price(request, context)),
      quote: (request, context) => inTurn(context, () => quoting.quote(request, context)),
    },
    counts: () => ({ running, waiting: waiting.size }),
  };
}

function overloaded(): SwapError {
  return refuse("OVERLOADED", "the service has more requests than it can serve - try again");
}
