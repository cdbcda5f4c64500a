import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { queueSearches } from "../../src/quoting/search-queue.ts";
import { createThreadTurns } from "../../src/quoting/thread-turns.ts";
import { createFakeQuoting, USDC, WETH } from "../support/fake-quoting.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Turns by a clock that moves only while the thread is held. */
function setUp() {
  let now = 0;
  const turns = createThreadTurns(() => now);
  const hold = (ms: number) =>
    turns.hold(() => {
      now += ms;
    });
  /** How long the others have the thread for, as far as a hundred milliseconds at a time tell. */
  const passed = async () => {
    let isOver = false;
    void turns.pass().then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(0);
    let ms = 0;
    for (; !isOver; ms += 100) await vi.advanceTimersByTimeAsync(100);
    return ms;
  };
  return { turns, hold, passed };
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
  expect(() => turns.hold(fail)).toThrow("a defect");
  expect(await passed()).toBeGreaterThan(0);
});

test("the next search of a queue begins after that", async () => {
  const { turns, hold } = setUp();
  const quoting = createFakeQuoting();
  quoting.before = async () => hold(2_000);
  const queue = queueSearches(quoting, { atOnce: 4, mostWaiting: 4 }, turns).quoting;
  const ask = () =>
    queue.price(
      {
        sellToken: WETH,
        buyToken: USDC,
        amount: { kind: "exactIn", sellAmount: 1n },
        slippage: 0n,
        sources: { kind: "all" },
        skipValidation: true,
      },
      { requestId: "r", signal: new AbortController().signal },
    );
  void ask();
  void ask();
  await vi.advanceTimersByTimeAsync(400);
  expect(quoting.asked).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(100);
  expect(quoting.asked).toHaveLength(2);
});
