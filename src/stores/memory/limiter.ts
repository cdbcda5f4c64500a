import { debit, decide } from "../../api/limits/gcra.ts";
import type { Limiter } from "../../api/limits/limiter.ts";

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
