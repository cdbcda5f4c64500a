import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createFakeQuoting, USDC, WETH } from "../../../fixtures/door/fake-quoting.ts";
import type { SwapRequest } from "../../../src/quoting/answer/types.ts";
import { queueSearches } from "../../../src/quoting/search/search-queue.ts";
import { createThreadTurns } from "../../../src/quoting/search/thread-turns.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** Lets everything happen that needs no time. */
async function soon(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

const REQUEST: SwapRequest = {
  sellToken: WETH,
  buyToken: USDC,
  amount: { kind: "exactIn", sellAmount: 1n },
  slippage: 0n,
  sources: { kind: "all" },
  skipValidation: true,
};

/** Turns by a clock that moves only while the thread is held. */
function setUp() {
  let now = 0;
  const turns = createThreadTurns(() => now);
  const idle = (ms: number) => {
    now += ms;
  };
  const hold = (ms: number) =>
    turns.begin("a").hold(() => {
      now += ms;
    });
  /** Time for which the others have the thread, to a hundred milliseconds. */
  const passed = async () => {
    let isOver = false;
    void turns
      .begin("a")
      .pass()
      .then(() => {
        isOver = true;
      });
    await soon();
    let ms = 0;
    for (; !isOver; ms += 100) await vi.advanceTimersByTimeAsync(100);
    return ms;
  };
  return { turns, hold, idle, passed };
}

test("short searches leave others a turn of the event loop, long ones time to ask the node", async () => {
  const { hold, passed } = setUp();
  hold(19);
  expect(await passed()).toBe(0);
  hold(1_200);
  expect(await passed()).toBe(300);
  expect(await passed()).toBe(0);
  for (let i = 0; i < 4; i += 1) hold(100);
  expect(await passed()).toBe(100);
  hold(60_000);
  expect(await passed()).toBe(500);
});

test("a search that failed has held the thread as well", async () => {
  const { turns, hold, passed } = setUp();
  const fail = () => {
    hold(800);
    throw new Error("a defect");
  };
  expect(() => turns.begin("a").hold(fail)).toThrow("a defect");
  expect(await passed()).toBeGreaterThan(0);
});

test("time in which nobody held the thread is time that others had", async () => {
  const { hold, passed, idle } = setUp();
  hold(1_200);
  idle(200);
  expect(await passed()).toBe(100);
  hold(1_200);
  idle(1_000);
  expect(await passed()).toBe(0);
});

test("a turn that nothing was done with needs no other, and is over soon", async () => {
  const { turns, hold } = setUp();
  const order: string[] = [];
  const ask = (who: string) =>
    turns
      .begin(who)
      .pass()
      .then(() => void order.push(who));
  const first = turns
    .begin("a")
    .pass()
    .then(async () => {
      await turns.begin("a").pass();
      order.push("a, without waiting");
      hold(1);
      await turns.begin("a").pass();
      order.push("a, again");
    });
  await Promise.all([first, ask("b")]);
  expect(order).toEqual(["a, without waiting", "b", "a, again"]);
  await soon();
  const later = [
    ask("b"),
    turns
      .begin("a")
      .pass()
      .then(() => void order.push("a, later")),
  ];
  await Promise.all(later);
  expect(order.slice(3)).toEqual(["b", "a, later"]);
});

test("the request of an account that began first is done first", async () => {
  const { turns } = setUp();
  const order: string[] = [];
  const search = async (name: string) => {
    const own = turns.begin("a");
    for (let slice = 1; slice <= 3; slice += 1) {
      await own.pass();
      own.hold(() => order.push(`${name}${slice}`));
    }
  };
  await Promise.all(["x", "y", "z"].map(search));
  expect(order).toEqual(["x1", "x2", "x3", "y1", "y2", "y3", "z1", "z2", "z3"]);
});

test("the next search of a queue begins after that", async () => {
  const { turns, hold } = setUp();
  const quoting = createFakeQuoting();
  quoting.before = async () => hold(2_000);
  const queue = queueSearches(quoting, { atOnce: 4, mostWaiting: 4 }, turns).quoting;
  void queue.price(REQUEST, { requestId: "r", signal: new AbortController().signal });
  void queue.price(REQUEST, { requestId: "r", signal: new AbortController().signal });
  await soon();
  await vi.advanceTimersByTimeAsync(400);
  await soon();
  expect(quoting.asked).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(100);
  await soon();
  expect(quoting.asked).toHaveLength(2);
});
