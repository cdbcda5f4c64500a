import { describe, expect, it } from "vitest";
import { createFakeMarket } from "../../../fixtures/door/fake-market.ts";
import { createFakeQuoting, TAKER, USDC, WBTC, WETH } from "../../../fixtures/door/fake-quoting.ts";
import { refuse } from "../../../src/domain/errors/swap-error.ts";
import type { CallContext, SwapRequest } from "../../../src/quoting/answer/types.ts";
import { createPriceCache } from "../../../src/quoting/price/price-cache.ts";

const REQUEST: SwapRequest = {
  sellToken: WETH,
  buyToken: USDC,
  amount: { kind: "exactIn", sellAmount: 10n },
  slippage: 0n,
  sources: { kind: "only", ids: ["A", "B"] },
  skipValidation: true,
};
const CONTEXT: CallContext = { requestId: "r", signal: new AbortController().signal };

function setUp(most = 100) {
  const market = createFakeMarket();
  const quoting = createFakeQuoting();
  const world = { version: 1, nowMs: 0 };
  const cache = createPriceCache({
    quoting,
    market,
    most,
    versions: () => [world.version],
    now: () => world.nowMs,
  });
  return {
    market,
    quoting,
    world,
    cache,
    price: (request = REQUEST, context = CONTEXT) => cache.quoting.price(request, context),
  };
}

describe("the same request", () => {
  it("is searched for once at a block, also while the search runs", async () => {
    const { quoting, price } = setUp();
    const answers = await Promise.all([
      price(),
      price(),
      price({ ...REQUEST, sources: { kind: "only", ids: ["B", "A", "A"] } }),
    ]);
    expect(quoting.asked).toHaveLength(1);
    expect(new Set(answers).size).toBe(1);
    expect(await price()).toBe(answers[0]);
    expect(quoting.asked).toHaveLength(1);
  });

  it("is searched for again at the next block, and when something else has changed", async () => {
    const { quoting, price, market, world, cache } = setUp();
    await price();
    const before = cache.epoch();
    market.publish();
    expect(cache.epoch()).not.toBe(before);
    await price();
    expect(quoting.asked).toHaveLength(2);
    world.version = 2;
    await price();
    expect(quoting.asked).toHaveLength(3);
    expect(cache.epoch()).toBe(cache.epoch());
  });

  it("is never answered from before while nothing may be quoted", async () => {
    const { quoting, price, market, cache } = setUp();
    await price();
    market.unavailable = "stale";
    expect(cache.epoch()).toBeUndefined();
    quoting.before = async () => {
      throw refuse("UNAVAILABLE", "stale");
    };
    await expect(price()).rejects.toMatchObject({ kind: "UNAVAILABLE" });
  });
});

it("any difference in a request is another search", async () => {
  const { quoting, price } = setUp();
  const others: readonly Partial<SwapRequest>[] = [
    {},
    { sellToken: WBTC },
    { buyToken: WBTC },
    { amount: { kind: "exactIn", sellAmount: 11n } },
    { amount: { kind: "exactOut", buyAmount: 10n } },
    { slippage: 1n },
    { taker: TAKER },
    { sources: { kind: "all" } },
    { sources: { kind: "without", ids: ["A", "B"] } },
    { sources: { kind: "only", ids: ["A"] } },
    { fee: { ratePpm: 1n, recipient: TAKER } },
    { fee: { ratePpm: 2n, recipient: TAKER } },
    { fee: { ratePpm: 1n, recipient: WETH.address } },
    { gasPrice: 5n },
    { maxPriceImpact: 5n },
    { skipValidation: false },
  ];
  for (const other of others) await price({ ...REQUEST, ...other });
  expect(quoting.asked).toHaveLength(others.length);
});

describe("refusals", () => {
  const failWith = (quoting: ReturnType<typeof createFakeQuoting>, error: unknown) => {
    quoting.before = async () => {
      throw error;
    };
  };

  it("of the market are kept like prices", async () => {
    const { quoting, price } = setUp();
    failWith(quoting, refuse("INSUFFICIENT_ASSET_LIQUIDITY", "none"));
    for (let i = 0; i < 3; i += 1)
      await expect(price()).rejects.toMatchObject({ kind: "INSUFFICIENT_ASSET_LIQUIDITY" });
    expect(quoting.asked).toHaveLength(1);
  });

  it.each([refuse("UNAVAILABLE", "overloaded"), new TypeError("a defect")])(
    "of the moment are not: %s",
    async (error) => {
      const { quoting, price } = setUp();
      failWith(quoting, error);
      await expect(price()).rejects.toBe(error);
      quoting.before = async () => {};
      expect((await price()).buyAmount).toBe(20n);
    },
  );

  it("that are another caller's own do not reach this one", async () => {
    const { quoting, price } = setUp();
    const turn = Promise.withResolvers<void>();
    quoting.before = () => turn.promise;
    const first = price();
    const second = price();
    quoting.before = async () => {};
    turn.reject(refuse("DEADLINE_EXCEEDED", "too late"));
    await expect(first).rejects.toMatchObject({ kind: "DEADLINE_EXCEEDED" });
    expect((await second).buyAmount).toBe(20n);
  });
});

it("a search that its caller's deadline has cut short is not for others", async () => {
  const { quoting, price, world } = setUp();
  quoting.before = async () => {
    world.nowMs = 1_001;
  };
  await price(REQUEST, { ...CONTEXT, deadlineMs: 1_000 });
  await price();
  expect(quoting.asked).toHaveLength(2);
});

it("a search that its caller's deadline cuts short is not for others that wait for it either", async () => {
  const { quoting, price, world } = setUp();
  const turn = Promise.withResolvers<void>();
  quoting.before = () => turn.promise;
  const first = price(REQUEST, { ...CONTEXT, deadlineMs: 1_000 });
  const others = [price(), price()];
  quoting.before = async () => {};
  world.nowMs = 1_001;
  turn.resolve();
  const cut = await first;
  for (const other of others) expect(await other).not.toBe(cut);
  expect(quoting.asked).toHaveLength(2);
  expect(await others[0]).toBe(await price());
});

it("a search whose caller has left meanwhile is not for others", async () => {
  const { quoting, price } = setUp();
  const turn = Promise.withResolvers<void>();
  quoting.before = () => turn.promise;
  const left = new AbortController();
  const first = price(REQUEST, { ...CONTEXT, signal: left.signal });
  const other = price();
  quoting.before = async () => {};
  left.abort();
  turn.resolve();
  const cut = await first;
  expect(await other).not.toBe(cut);
  expect(quoting.asked).toHaveLength(2);
  expect(await price()).toBe(await other);
});

it("where a search ends with its caller's time, one of those that wait for it searches for all of them", async () => {
  const { quoting, price } = setUp();
  const turn = Promise.withResolvers<void>();
  quoting.before = () => turn.promise;
  const first = price();
  const others = [price(), price(), price()];
  quoting.before = async () => {};
  turn.reject(refuse("DEADLINE_EXCEEDED", "too late"));
  await expect(first).rejects.toMatchObject({ kind: "DEADLINE_EXCEEDED" });
  expect(new Set(await Promise.all(others)).size).toBe(1);
  expect(quoting.asked).toHaveLength(2);
});

it("where there is no room for one account's search, one of the others searches for all of them", async () => {
  const { quoting, price } = setUp();
  const turn = Promise.withResolvers<void>();
  quoting.before = () => turn.promise;
  const of = (account: string) =>
    price(REQUEST, { ...CONTEXT, account }).then(
      () => "found",
      (error) => error.reason,
    );
  const calls = ["a", "a", "b", "c", "b", "a"].map(of);
  quoting.before = async () => {};
  turn.reject(refuse("OVERLOADED", "too much"));
  expect(await Promise.all(calls)).toEqual(["OVERLOADED", "OVERLOADED", "found", "found", "found", "OVERLOADED"]);
  expect(quoting.asked.map(({ context }) => context.account)).toEqual(["a", "b"]);
});

it("keeps as many as it may, the oldest go first", async () => {
  const { quoting, price } = setUp(2);
  const asking = (sellAmount: bigint) => price({ ...REQUEST, amount: { kind: "exactIn", sellAmount } });
  for (const amount of [1n, 2n, 3n, 3n, 2n, 1n]) await asking(amount);
  expect(quoting.asked.map(({ request }) => request.amount)).toMatchObject(
    [1n, 2n, 3n, 1n].map((sellAmount) => ({ sellAmount })),
  );
});

it("quotes are never kept", async () => {
  const { quoting, cache } = setUp();
  await cache.quoting.quote(REQUEST, CONTEXT);
  await cache.quoting.quote(REQUEST, CONTEXT);
  expect(quoting.asked).toHaveLength(2);
});
