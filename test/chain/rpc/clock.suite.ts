import { afterEach, describe, expect, it } from "vitest";
import { type Clock, sleep, slicing } from "../../../src/chain/rpc/clock.ts";

/** Longer than the coarsest timer's step, milliseconds. */
const STEP_MS = 30;

/** A clock, and what lets time pass on it. */
export interface ClockUnderTest {
  readonly clock: Clock;
  pass(ms: number): Promise<unknown>;
}

/** Holds every implementation of Clock to the same. */
export function describeClock(name: string, create: () => ClockUnderTest): void {
  describe(`the clock ${name}`, () => {
    const cancelled: (() => void)[] = [];
    afterEach(() => {
      for (const cancel of cancelled.splice(0)) cancel();
    });

    it("goes on by what passes, in both readings", async () => {
      const { clock, pass } = create();
      const [now, elapsed] = [clock.now(), clock.elapsed()];
      await pass(STEP_MS);
      for (const passed of [clock.now() - now, clock.elapsed() - elapsed]) {
        expect(passed).toBeGreaterThanOrEqual(STEP_MS - 2);
        expect(passed).toBeLessThan(STEP_MS + 2_000);
      }
    });

    it("calls a task once, not before its time, and never within the call that orders it", async () => {
      const { clock, pass } = create();
      const ordered = clock.elapsed();
      const calls: number[] = [];
      cancelled.push(clock.after(STEP_MS, () => calls.push(clock.elapsed() - ordered)));
      clock.after(0, () => calls.push(0));
      expect(calls).toEqual([]);
      await pass(3 * STEP_MS);
      await pass(3 * STEP_MS);
      expect(calls).toHaveLength(2);
      expect(calls[0]).toBe(0);
      expect(calls[1]).toBeGreaterThanOrEqual(STEP_MS - 2);
    });

    it("calls tasks in the order of their times, and those of one time in the order in which they came", async () => {
      const { clock, pass } = create();
      const calls: string[] = [];
      clock.after(3 * STEP_MS, () => calls.push("late"));
      clock.after(STEP_MS, () => calls.push("early"));
      clock.after(STEP_MS, () => calls.push("early too"));
      await pass(5 * STEP_MS);
      expect(calls).toEqual(["early", "early too", "late"]);
    });

    it("forgets a task that is taken back, also twice or too late", async () => {
      const { clock, pass } = create();
      const calls: string[] = [];
      const cancel = clock.after(STEP_MS, () => calls.push("taken back"));
      const late = clock.after(STEP_MS, () => calls.push("kept"));
      cancel();
      cancel();
      await pass(2 * STEP_MS);
      late();
      await pass(2 * STEP_MS);
      expect(calls).toEqual(["kept"]);
    });

    it("lets others have their turn when it breathes", async () => {
      const { clock } = create();
      let isOver = false;
      const other = Promise.resolve().then(() => {
        isOver = true;
      });
      await clock.breathe();
      expect(isOver).toBe(true);
      await other;
    });

    it("lets sleepers sleep for as long as they asked", async () => {
      const { clock, pass } = create();
      const began = clock.elapsed();
      let slept: number | undefined;
      const sleeping = sleep(clock, 2 * STEP_MS).then(() => {
        slept = clock.elapsed() - began;
      });
      await pass(STEP_MS / 2);
      expect(slept).toBeUndefined();
      await pass(4 * STEP_MS);
      await sleeping;
      expect(slept).toBeGreaterThanOrEqual(2 * STEP_MS - 2);
    });

    it("asks long work to pause once its slice is over, and not before", async () => {
      const { clock, pass } = create();
      const pause = slicing(clock);
      expect(pause()).toBeUndefined();
      await pass(STEP_MS);
      await expect(pause()).resolves.toBeUndefined();
      expect(pause()).toBeUndefined();
    });
  });
}
