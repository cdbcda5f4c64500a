import type { RateLimit } from "../keys/key-store.ts";
import { type Decision, debit, decide } from "./gcra.ts";

/** Counts what accounts use. Several processes that serve the same accounts would share one. */
export interface Limiter {
  /** Takes `cost` units of an account's limit, all or none. A failing limiter rejects. */
  take(account: string, limit: RateLimit, cost: number): Decision | Promise<Decision>;
  /** Takes `cost` units for what has been done already, whether or not they are there. */
  debit(account: string, limit: RateLimit, cost: number): Decision | Promise<Decision>;
}

/** Calls between two looks for accounts that have all of their units again. */
const SWEEP_EVERY = 10_000;

/** A limiter for one process. `now` is a clock in milliseconds that never goes back. */
export function createMemoryLimiter(now: () => number = () => performance.now()): Limiter {
  const fullAt = new Map<string, number>();
  let calls = 0;
  /** The clock, once in a while with a look for accounts that have all of their units again. */
  function look(): number {
    const at = now();
    if (++calls % SWEEP_EVERY === 0) for (const [name, full] of fullAt) if (full <= at) fullAt.delete(name);
    return at;
  }
  return {
    take(account, limit, cost) {
      const result = decide(fullAt.get(account), limit, cost, look());
      fullAt.set(account, result.fullAt);
      return result.decision;
    },
    debit(account, limit, cost) {
      const result = debit(fullAt.get(account), limit, cost, look());
      fullAt.set(account, result.fullAt);
      return result.decision;
    },
  };
}
