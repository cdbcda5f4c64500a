import { afterEach, expect, it } from "vitest";
import { createVirtualClock } from "../../../fixtures/chain/virtual-clock.ts";
import { createPeriodicTask, type PeriodicTask } from "../../../src/chain/blocks/periodic-task.ts";
import { sleep } from "../../../src/chain/rpc/clock.ts";

let turns: PeriodicTask | undefined;
afterEach(async () => {
  await turns?.stop();
  turns = undefined;
});

it("who wakes it all the time does not have it work without a rest", async () => {
  const clock = createVirtualClock(0);
  let begun = 0;
  turns = createPeriodicTask({
    turn: async () => {
      begun += 1;
      await sleep(clock, 1);
      turns?.wake();
      return 0;
    },
    pauseMs: 2_000,
    maxBackoffMs: 5_000,
    clock,
  });
  turns.start();
  await clock.advance(1_000);
  expect(begun).toBeGreaterThanOrEqual(19);
  expect(begun).toBeLessThanOrEqual(21);
  const stopped = turns.stop();
  await clock.advance(1_000);
  await stopped;
});

it("a wake after a rest is followed at once, and stopping waits for no rest", async () => {
  const clock = createVirtualClock(0);
  const begun: number[] = [];
  turns = createPeriodicTask({
    turn: async () => {
      begun.push(clock.elapsed());
      return 0;
    },
    pauseMs: 2_000,
    maxBackoffMs: 5_000,
    clock,
  });
  turns.start();
  await clock.advance(300);
  turns.wake();
  await clock.advance(1);
  expect(begun).toEqual([begun[0], begun[0]! + 300]);
  turns.wake();
  await turns.stop();
  expect(begun).toHaveLength(2);
});

it("what a turn took is told to the pause behind it, so that turns can begin as far apart as blocks come", async () => {
  const clock = createVirtualClock(0);
  const begun: number[] = [];
  turns = createPeriodicTask({
    turn: async () => {
      begun.push(clock.elapsed());
      await sleep(clock, begun.length % 2 === 0 ? 250 : 350);
      return 0;
    },
    pauseMs: 100,
    pauseAfter: (tookMs) => Math.max(300 - tookMs, 0),
    maxBackoffMs: 5_000,
    clock,
  });
  turns.start();
  await clock.advance(3_000);
  const apart = begun.slice(1).map((at, index) => at - begun[index]!);
  expect(new Set(apart)).toEqual(new Set([350, 300]));
  const stopped = turns.stop();
  await clock.advance(1_000);
  await stopped;
});
