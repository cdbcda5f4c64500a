import { Redis } from "ioredis";
import { afterAll, describe, expect, test } from "vitest";
import { clearPrefix, hasRedis, ownPrefix, REDIS_URL } from "../../../fixtures/fleet/redis.ts";
import { startTcpProxy } from "../../../fixtures/tcp-proxy.ts";
import { createLogger } from "../../../src/ops/logger.ts";
import { createMemoryLimiter } from "../../../src/stores/memory/limiter.ts";
import { keyNames } from "../../../src/stores/redis/connection.ts";
import { createRedisLimiter } from "../../../src/stores/redis/limiter.ts";
import { openSharedMemory } from "../../../src/stores/redis/open-fleet.ts";
import { describeLimiter } from "../limiter.suite.ts";

const isThere = await hasRedis();
const prefix = ownPrefix();
const logger = createLogger("silent");
const redis = isThere ? new Redis(REDIS_URL) : undefined;
let worlds = 0;
const nextPrefix = () => `${prefix}-${++worlds}`;

afterAll(async () => {
  redis?.disconnect();
  if (isThere) await clearPrefix(prefix);
});

if (redis !== undefined)
  describeLimiter("in Redis", (now) => createRedisLimiter(redis, keyNames({ prefix: nextPrefix() }), now));

describe.skipIf(!isThere)(
  isThere ? "limits of a fleet" : `limits of a fleet: skipped, no Redis at ${REDIS_URL}`,
  () => {
    test("are exact to the unit over four connections that all ask for more than there is", async () => {
      const names = keyNames({ prefix: nextPrefix() });
      const connections = Array.from({ length: 4 }, () => new Redis(REDIS_URL));
      let now = 0;
      const limiters = connections.map((connection) => createRedisLimiter(connection, names, () => now));
      const limit = { unitsPerSecond: 5_000, burst: 250 };
      let [asked, allowed] = [0, 0];
      for (; now <= 400; now += 10) {
        const asking = limiters.flatMap((limiter) =>
          Array.from({ length: 25 }, async () => limiter.take("one", limit, 1)),
        );
        const decisions = await Promise.all(asking);
        asked += decisions.length;
        allowed += decisions.filter((decision) => decision.allowed).length;
        // At most the units that came back since the last step, and those at the beginning.
        expect(allowed).toBe(Math.min(asked, limit.burst + now * 5));
      }
      expect(asked).toBeGreaterThan(1.5 * allowed);
      for (const connection of connections) connection.disconnect();
    });

    test("go on as each process's part while Redis is gone, say so, and are the fleet's again after it", async () => {
      const line = await startTcpProxy(REDIS_URL);
      const own = nextPrefix();
      const near = openSharedMemory({ url: REDIS_URL, prefix: own, logger }, 1_500);
      const far = openSharedMemory({ url: line.url, prefix: own, logger }, 1_500);
      const limit = { unitsPerSecond: 10, burst: 20 };
      await expect.poll(() => far.figures().processes).toBe(2);
      expect(await far.limiter.take("a", limit, 5)).toMatchObject({ allowed: true, remaining: 15 });

      for (const fail of [line.cut, line.stall]) {
        fail();
        const decision = await far.limiter.take("b", limit, 1);
        expect(decision).toMatchObject({ allowed: true, limit: { unitsPerSecond: 5, burst: 10 } });
        expect(far.figures().limitsAreLocal).toBe(true);
        line.mend();
        await expect.poll(async () => (await far.limiter.take("c", limit, 1)).limit).toBeUndefined();
        expect(far.figures().limitsAreLocal).toBe(false);
      }
      expect((await near.limiter.take("a", limit, 1)).limit).toBeUndefined();
      await Promise.all([near.close(), far.close()]);
      await line.close();
    });

    test("begin anew where Redis was emptied, and stay the fleet's", async () => {
      const own = nextPrefix();
      const shared = openSharedMemory({ url: REDIS_URL, prefix: own, logger }, 1_500);
      const limit = { unitsPerSecond: 1, burst: 5 };
      await expect.poll(() => shared.figures().isReachable).toBe(true);
      expect(await shared.limiter.take("a", limit, 5)).toMatchObject({ allowed: true, remaining: 0 });
      expect(await shared.limiter.take("a", limit, 1)).toMatchObject({ allowed: false });
      await clearPrefix(own);
      expect(await shared.limiter.take("a", limit, 5)).toMatchObject({ allowed: true });
      expect(shared.figures().limitsAreLocal).toBe(false);
      await shared.close();
    });
  },
);

test("a decision that is a process's part shows that part, and never less than one unit at once", async () => {
  const { ShareLimiter } = await import("../../../src/stores/redis/local-share.ts");
  const failing = { take: () => Promise.reject(new Error("gone")), debit: () => Promise.reject(new Error("gone")) };
  const limiter = new ShareLimiter({
    ...{ shared: failing, own: createMemoryLimiter(() => 0), processes: () => 50, logger, elapsed: () => 0 },
  });
  const limit = { unitsPerSecond: 10, burst: 20 };
  expect(await limiter.take("a", limit, 5)).toMatchObject({ allowed: true, limit: { unitsPerSecond: 0.2, burst: 1 } });
  expect(await limiter.take("a", limit, 1)).toMatchObject({ allowed: false });
  expect(limiter.figures()).toEqual({ isLocal: true, decidedLocally: 2 });
});
