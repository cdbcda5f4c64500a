import { describe, expect, it } from "vitest";
import type { CallContext, SwapRequest } from "../../src/quoting/answers.ts";
import { queueSearches } from "../../src/quoting/search-queue.ts";
import { createThreadTurns } from "../../src/quoting/thread-turns.ts";
import { createFakeQuoting, USDC, WETH } from "../support/fake-quoting.ts";

const request = (sellAmount: number): SwapRequest => ({
  sellToken: WETH,
  buyToken: USDC,
  amount: { kind: "exactIn", sellAmount: BigInt(sellAmount) },
  slippage: 0n,
  sources: { kind: "all" },
  skipValidation: true,
});
const context = (change: Partial<CallContext> = {}): CallContext => ({
  requestId: "r",
  signal: new AbortController().signal,
  ...change,
});
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A queue before a market whose searches end when they are told to. */
function setUp(limits = { atOnce: 2, mostWaiting: 3 }, turns = createThreadTurns(Date.now)) {
  const quoting = createFakeQuoting();
  const release: (() => void)[] = [];
  quoting.before = () => new Promise((resolve) => release.push(resolve));
  const queue = queueSearches(quoting, limits, turns);
  const begun = () =>
    quoting.asked.map(({ request: { amount } }) => (amount.kind === "exactIn" ? Number(amount.sellAmount) : 0));
  return { queue, begun, release, ask: (n: number, asker = context()) => queue.quoting.price(request(n), asker) };
}

describe("more requests than can be served", () => {
  it("are refused at once; the others are served in the order of their coming", async () => {
    const { queue, ask, begun, release } = setUp();
    const outcomes = Array.from({ length: 10 }, (_, i) =>
      ask(i).then(
        () => "served",
        (error) => `${error.kind} ${error.reason} ${error.retryAfterSeconds}`,
      ),
    );
    for (let i = 0; i < 5; i += 1) await turn();
    expect(begun()).toEqual([0, 1]);
    expect(queue.counts()).toEqual({ running: 2, waiting: 1 });
    while (queue.counts().running > 0) {
      release.shift()?.();
      await turn();
      await turn();
    }
    expect(begun()).toEqual([0, 1, 2]);
    const refused = "UNAVAILABLE OVERLOADED 1";
    expect(await Promise.all(outcomes)).toEqual([...Array(3).fill("served"), ...Array(7).fill(refused)]);
    expect(queue.counts()).toEqual({ running: 0, waiting: 0 });
  });

  it("are counted while a search keeps the thread busy: one begins in a turn", async () => {
    const { ask, begun } = setUp({ atOnce: 100, mostWaiting: 100 });
    for (let i = 0; i < 5; i += 1) void ask(i);
    expect(begun()).toEqual([]);
    await turn();
    expect(begun()).toEqual([0]);
    await turn();
    expect(begun()).toEqual([0, 1]);
  });
});

it("nothing is searched for callers that have left", async () => {
  const { ask, begun, release } = setUp({ atOnce: 1, mostWaiting: 10 });
  const left = new AbortController();
  const first = ask(0);
  const second = ask(1, context({ signal: left.signal }));
  const third = ask(2);
  await turn();
  left.abort();
  release.shift()?.();
  await first;
  await expect(second).rejects.toMatchObject({ kind: "DEADLINE_EXCEEDED" });
  await turn();
  release.shift()?.();
  await third;
  expect(begun()).toEqual([0, 2]);
});

it("callers that have left keep nobody else from waiting", async () => {
  const { ask, begun, release, queue } = setUp({ atOnce: 1, mostWaiting: 2 });
  const left = new AbortController();
  const first = ask(0);
  await turn();
  const gone = [1, 2].map((n) => ask(n, context({ signal: left.signal })).catch(({ kind }) => kind));
  left.abort();
  const last = ask(3);
  expect(await Promise.all(gone)).toEqual(["DEADLINE_EXCEEDED", "DEADLINE_EXCEEDED"]);
  expect(queue.counts()).toEqual({ running: 1, waiting: 1 });
  release.shift()?.();
  await first;
  await turn();
  await turn();
  release.shift()?.();
  await last;
  expect(begun()).toEqual([0, 3]);
});

it("who is patient waits, however many wait before", async () => {
  const { ask, begun, release, queue } = setUp({ atOnce: 1, mostWaiting: 1 });
  void ask(0);
  await turn();
  void ask(1);
  const patient = ask(2, context({ patient: true }));
  while (queue.counts().running > 0) {
    release.shift()?.();
    await turn();
    await turn();
  }
  expect((await patient).sellAmount).toBe(2n);
  expect(begun()).toEqual([0, 1, 2]);
});

it("a search that fails gives its place free", async () => {
  const quoting = createFakeQuoting();
  quoting.before = async () => {
    throw new Error("a defect");
  };
  const queue = queueSearches(quoting, { atOnce: 1, mostWaiting: 5 }, createThreadTurns(Date.now));
  for (let i = 0; i < 3; i += 1) await expect(queue.quoting.quote(request(i), context())).rejects.toThrow("a defect");
  expect(queue.counts()).toEqual({ running: 0, waiting: 0 });
});
