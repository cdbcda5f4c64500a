import type { Redis } from "ioredis";
import type { RateLimit } from "../../api/keys/key-store.ts";
import { type Decision, unitsLeft } from "../../api/limits/gcra.ts";
import type { Limiter } from "../../api/limits/limiter.ts";
import type { KeyNames } from "./connection.ts";
import { TAKE } from "./scripts.ts";

type Answer = readonly [allowed: number, fullAfterMs: string, retryAfterMs: string];

interface LimitCommands {
  tributaryTake(key: string, ...values: readonly (string | number)[]): Promise<Answer>;
}

/**
 * A limiter for all processes of a fleet: each decision is one run of a script. Its time is Redis's own, unless `now` says it
 * (milliseconds, never going back). Rejects where Redis does not answer.
 */
export function createRedisLimiter(redis: Redis, names: Pick<KeyNames, "limit">, now?: () => number): Limiter {
  redis.defineCommand("tributaryTake", { numberOfKeys: 1, lua: TAKE });
  const commands = redis as unknown as LimitCommands;

  async function run(account: string, limit: RateLimit, cost: number, isDebit: boolean): Promise<Decision> {
    const { unitsPerSecond, burst } = limit;
    const values = [unitsPerSecond, burst, cost, isDebit ? 1 : 0, now?.() ?? ""];
    const [allowed, full, retry] = await commands.tributaryTake(names.limit(account), ...values);
    const fullAfterMs = Number(full);
    const remaining = unitsLeft(fullAfterMs, limit);
    return { allowed: allowed === 1, remaining, fullAfterMs, retryAfterMs: Number(retry) };
  }

  return {
    take: (account, limit, cost) => run(account, limit, cost, false),
    debit: (account, limit, cost) => run(account, limit, cost, true),
  };
}
