import { describe, expect, it } from "vitest";
import { createFakeQuoting, USDC, WETH } from "../../../fixtures/door/fake-quoting.ts";
import type { CallContext, SwapRequest } from "../../../src/quoting/answer/types.ts";
import { queueSearches } from "../../../src/quoting/search/search-queue.ts";
import { createThreadTurns } from "../../../src/quoting/search/thread-turns.ts";

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
/** Turns until what may begin has begun: of the queue, and of the thread. */
const turns = async () => {
  for (let i = 0; i < 4; i += 1) await turn();
};

/** A queue before a market whose searches end when they are told to. */
function setUp(limits = { atOnce: 2, mostWaiting: 3 }) {
  const quoting = createFakeQuoting();
  const release: (() => void)[] = [];
  quoting.before = () => new Promise((resolve) => release.push(resolve));
  const queue = queueSearches(quoting, limits, createThreadTurns(Date.now));
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
    const counts: number[] = [];
    while (counts.at(-1) !== 5) {
      await turn();
      counts.push(begun().length);
    }
    for (const [at, count] of counts.entries()) expect(count - (counts[at - 1] ?? 0)).toBeLessThanOrEqual(2);
    expect(counts.length).toBeGreaterThan(3);
  });
});

describe("several accounts", () => {
  const of = (account: string, change: Partial<CallContext> = {}) => context({ account, ...change });
  /** Lets all that waits have its turn, one by one. */
  async function serve({ queue, release }: ReturnType<typeof setUp>) {
    while (queue.counts().running > 0 || queue.counts().waiting > 0) {
      release.shift()?.();
      await turn();
    }
  }

  it("have their turns one after the other, however many one of them waits for", async () => {
    const world = setUp({ atOnce: 1, mostWaiting: 10 });
    const calls = [0, 1, 2, 3].map((n) => world.ask(n, of("a")));
    calls.push(world.ask(10, of("b")), world.ask(11, of("b")), world.ask(20, of("c")));
    await serve(world);
    await Promise.all(calls);
    expect(world.begun()).toEqual([0, 10, 20, 1, 11, 2, 3]);
  });

  it("make room for each other: the newest goes of the one with most, and nobody's for one that has as many", async () => {
    const world = setUp({ atOnce: 1, mostWaiting: 4 });
    const outcomes: string[] = [];
    const ask = (n: number, asker: CallContext) =>
      world.ask(n, asker).then(
        () => outcomes.push(`${n} served`),
        ({ reason }) => outcomes.push(`${n} ${reason}`),
      );
    const calls = [ask(0, of("a"))];
    await turn();
    for (const n of [1, 2, 3, 4]) calls.push(ask(n, of("a")));
    calls.push(ask(5, of("a")));
    for (const [at, account] of ["b", "b", "b", "c", "c"].entries()) calls.push(ask(10 + at, of(account)));
    expect(world.queue.counts()).toEqual({ running: 1, waiting: 4 });
    await turn();
    expect(outcomes).toEqual([
      "5 OVERLOADED",
      "4 OVERLOADED",
      "3 OVERLOADED",
      "12 OVERLOADED",
      "2 OVERLOADED",
      "14 OVERLOADED",
    ]);
    await serve(world);
    await Promise.all(calls);
    expect(world.begun()).toEqual([0, 1, 10, 13, 11]);
  });

  it("leave places free for each other, even where all of them want more", async () => {
    const world = setUp({ atOnce: 32, mostWaiting: 1_000 });
    const ask = (account: string, count: number) => {
      for (let n = 0; n < count; n += 1) void world.ask(n, of(account));
    };
    ask("a", 40);
    for (let i = 0; i < 100; i += 1) await turn();
    expect(world.queue.counts()).toEqual({ running: 24, waiting: 16 });
    ask("b", 40);
    ask("c", 40);
    for (let i = 0; i < 100; i += 1) await turn();
    const { running } = world.queue.counts();
    expect(running).toBeGreaterThan(24);
    expect(running).toBeLessThan(32);
    ask("d", 1);
    for (let i = 0; i < 4; i += 1) await turn();
    expect(world.queue.counts().running).toBe(running + 1);
  });

  it("take no place from who is patient", async () => {
    const world = setUp({ atOnce: 1, mostWaiting: 2 });
    const calls = [world.ask(0, of("a"))];
    await turn();
    for (const n of [1, 2, 3]) calls.push(world.ask(n, context({ patient: true })));
    await expect(world.ask(4, of("b"))).rejects.toMatchObject({ reason: "OVERLOADED" });
    await serve(world);
    await Promise.all(calls);
  });
});

it("nothing is searched for callers that have left", async () => {
  const { ask, begun, release } = setUp({ atOnce: 1, mostWaiting: 10 });
  const left = new AbortController();
  const first = ask(0);
  const second = ask(1, context({ signal: left.signal }));
  const third = ask(2);
  await turns();
  left.abort();
  release.shift()?.();
  await first;
  await expect(second).rejects.toMatchObject({ kind: "DEADLINE_EXCEEDED" });
  await turns();
  release.shift()?.();
  await third;
  expect(begun()).toEqual([0, 2]);
});

it("callers that have left keep nobody else from waiting", async () => {
  const { ask, begun, release, queue } = setUp({ atOnce: 1, mostWaiting: 2 });
  const left = new AbortController();
  const first = ask(0);
  await turns();
  const gone = [1, 2].map((n) => ask(n, context({ signal: left.signal })).catch(({ kind }) => kind));
  left.abort();
  const last = ask(3);
  expect(await Promise.all(gone)).toEqual(["DEADLINE_EXCEEDED", "DEADLINE_EXCEEDED"]);
  expect(queue.counts()).toEqual({ running: 1, waiting: 1 });
  release.shift()?.();
  await first;
  await turns();
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
