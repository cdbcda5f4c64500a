import fc from "fast-check";
import { expect, test } from "vitest";
import { createFairQueue } from "../../../src/quoting/search/fair-queue.ts";
import { createFairTime } from "../../../src/quoting/search/fair-time.ts";

interface Search {
  readonly account: string;
  /** Milliseconds of the thread for each slice that is left. */
  readonly slices: number[];
}

/** A thread that accounts share, by a clock that moves only with the work on it. */
function createThread() {
  const time = createFairTime();
  const queue = createFairQueue<Search>(time);
  const used = new Map<string, number>();
  return {
    used,
    ask: (search: Search) => queue.add(search.account, search),
    /** Does the next slice. The search that is over by that, if one is; undefined where none waits. */
    work(): { readonly account: string; readonly isOver: boolean } | undefined {
      const next = queue.next();
      if (next === undefined) return undefined;
      const { who, item } = next;
      time.served(who);
      const ms = item.slices.shift() ?? 0;
      used.set(who, (used.get(who) ?? 0) + ms);
      time.charge(who, ms);
      if (item.slices.length > 0) queue.add(who, item);
      return { account: who, isOver: item.slices.length === 0 };
    },
  };
}

const slices = fc.array(fc.integer({ min: 1, max: 130 }), { minLength: 1, maxLength: 20 });
const RUNS = { seed: 20_261_127, numRuns: 300 };

test("a cheap request gets through at once, however many costly ones others have waiting and running", () => {
  const floods = fc.array(fc.array(slices, { minLength: 1, maxLength: 32 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(floods, fc.integer({ min: 0, max: 300 }), (accounts, before) => {
      const thread = createThread();
      for (const [at, searches] of accounts.entries()) {
        for (const one of searches) thread.ask({ account: `flood ${at}`, slices: [...one] });
      }
      for (let slice = 0; slice < before; slice += 1) {
        const done = thread.work();
        // A flood never ends: what is answered is asked again.
        if (done?.isOver) thread.ask({ account: done.account, slices: [100, 20, 20] });
      }
      thread.ask({ account: "polite", slices: [3] });
      let waited = 0;
      while (thread.work()?.account !== "polite") waited += 1;
      // At most one slice of each other account.
      expect(waited).toBeLessThanOrEqual(accounts.length);
    }),
    RUNS,
  );
});

test("accounts that always have something waiting get the same time, to within a slice, whatever their slices are", () => {
  fc.assert(
    fc.property(fc.array(slices, { minLength: 2, maxLength: 6 }), (patterns) => {
      const thread = createThread();
      const ask = (at: number) => thread.ask({ account: String(at), slices: [...(patterns[at] as number[])] });
      for (const at of patterns.keys()) for (let copies = 0; copies <= at; copies += 1) ask(at);
      for (let slice = 0; slice < 500; slice += 1) {
        const done = thread.work();
        if (done?.isOver) ask(Number(done.account));
        const times = [...patterns.keys()].map((at) => thread.used.get(String(at)) ?? 0);
        expect(Math.max(...times) - Math.min(...times)).toBeLessThanOrEqual(2 * Math.max(...patterns.flat()));
      }
    }),
    RUNS,
  );
});

test("an account that was idle has saved nothing up, and one that has used much owes it only to who was there", () => {
  const thread = createThread();
  for (let search = 0; search < 100; search += 1) thread.ask({ account: "early", slices: [50] });
  for (let slice = 0; slice < 50; slice += 1) thread.work();
  for (let search = 0; search < 100; search += 1) thread.ask({ account: "late", slices: [50] });
  const order = Array.from({ length: 20 }, () => thread.work()?.account);
  expect(order.filter((account) => account === "early")).toHaveLength(10);
});

test("who is not ready is passed over, and keeps its place", () => {
  const queue = createFairQueue<number>(createFairTime());
  queue.add("a", 1);
  queue.add("a", 2);
  queue.add("b", 3);
  expect(queue.next((who) => who !== "a")).toEqual({ who: "b", item: 3 });
  expect(queue.next((who) => who !== "a")).toBeUndefined();
  expect([queue.next(), queue.next(), queue.next(), queue.size]).toEqual([
    { who: "a", item: 1 },
    { who: "a", item: 2 },
    undefined,
    0,
  ]);
});
