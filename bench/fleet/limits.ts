import { setTimeout as sleep } from "node:timers/promises";
import { clearPrefix, ownPrefix, REDIS_URL } from "../../fixtures/fleet/redis.ts";
import { createLogger } from "../../src/ops/logger.ts";
import { openSharedMemory } from "../../src/stores/redis/open-fleet.ts";
import { quantile } from "../quantile.ts";

const ASKED_PER_SECOND = 5_000;
const REPLICAS = 4;
const LIMIT = { unitsPerSecond: 2_500, burst: 2_500 };
const TICK_MS = 10;

/** 5,000 requests a second over four replicas against a limit of half of it: what is allowed, against what is there. */
export async function measureLimits(seconds: number): Promise<void> {
  const place = { url: REDIS_URL, prefix: ownPrefix(), logger: createLogger("silent") };
  const replicas = Array.from({ length: REPLICAS }, () => openSharedMemory(place, 1_500));
  while (!replicas.every((replica) => replica.figures().isReachable)) await sleep(50);
  const waits: number[] = [];
  const tally = { asked: 0, allowed: 0, local: 0, first: Number.POSITIVE_INFINITY, last: 0 };
  const pending: Promise<void>[] = [];
  const begun = performance.now();
  while (performance.now() - begun < seconds * 1_000) {
    const due = ((performance.now() - begun) / 1_000) * ASKED_PER_SECOND;
    while (tally.asked < due) {
      const sentAt = performance.now();
      const { limiter } = replicas[tally.asked % REPLICAS]!;
      tally.asked += 1;
      pending.push(
        Promise.resolve(limiter.take("one", LIMIT, 1)).then((decision) => {
          tally.last = performance.now();
          tally.first = Math.min(tally.first, tally.last);
          waits.push(tally.last - sentAt);
          if (decision.limit !== undefined) tally.local += 1;
          if (decision.allowed) tally.allowed += 1;
        }),
      );
    }
    await sleep(TICK_MS);
  }
  await Promise.all(pending);
  const there = LIMIT.burst + (LIMIT.unitsPerSecond * (tally.last - tally.first)) / 1_000;
  const off = ((tally.allowed / there - 1) * 100).toFixed(2);
  const p99 = quantile(
    waits.toSorted((a, b) => a - b),
    0.99,
  ).toFixed(1);
  console.log(
    `limits: ${tally.asked} asked in ${seconds} s over ${REPLICAS}, ${tally.allowed} allowed of ${there.toFixed(0)}: ${off} %; ` +
      `p99 ${p99} ms, ${tally.local} decided locally`,
  );
  await Promise.all(replicas.map((replica) => replica.close()));
  await clearPrefix(place.prefix);
}
