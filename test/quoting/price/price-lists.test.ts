import { afterAll, beforeAll, expect, it } from "vitest";
import { SwapError } from "../../../src/domain/errors/swap-error.ts";
import { FRACTION_ONE, type SwapRequest } from "../../../src/quoting/answer/types.ts";
import { createPriceCache } from "../../../src/quoting/price/price-cache.ts";
import { createPriceLists } from "../../../src/quoting/price/price-lists.ts";
import { DEVNET_TOKENS } from "../../promise/random/random-request.ts";
import { type SwapWorld, startSwapWorld } from "../../support/worlds/swap-world.ts";

let world: SwapWorld;
beforeAll(async () => {
  world = await startSwapWorld();
  await world.follow();
}, 300_000);
afterAll(() => world?.stop());

const named = (symbol: string) => {
  const token = DEVNET_TOKENS.find((one) => one.symbol === symbol);
  if (token === undefined) throw new Error(`no ${symbol}`);
  return token;
};
const request = (sell: string, buy: string, amount: SwapRequest["amount"]): SwapRequest => ({
  ...{ sellToken: named(sell), buyToken: named(buy), amount, slippage: FRACTION_ONE / 100n },
  ...{ sources: { kind: "all" }, skipValidation: true },
});
const sale = (sellAmount: bigint) => request("WETH", "USDH", { kind: "exactIn", sellAmount });
const context = { requestId: "list", signal: new AbortController().signal };

it("has for each amount to the wei what a single price says at that block", { timeout: 120_000 }, async () => {
  const lists = createPriceLists(world.quoting, world.chain.market);
  const asked = [
    ...[0n, 2n, 4n, 6n].map((power) => sale(10n ** (15n + power))),
    request("USDH", "WBT", { kind: "exactOut", buyAmount: 10n ** 8n }),
    request("ETH", "WETH", { kind: "exactIn", sellAmount: 5n }),
    request("WETH", "USDH", { kind: "exactOut", buyAmount: 10n ** 40n }),
  ];
  const { block, results } = await lists.prices(asked, context);
  expect(results).toHaveLength(asked.length);
  for (const [at, one] of asked.entries()) {
    const single = await world.price(one).catch((error: unknown) => error);
    const result = results[at];
    if (single instanceof SwapError) expect(result).toEqual({ refusal: single });
    else expect(result).toEqual({ answer: single });
    if (result !== undefined && "answer" in result) expect(result.answer.block).toEqual(block);
  }
  expect(results.filter((result) => "refusal" in result)).toHaveLength(1);
});

it("stays at its block when the next one comes in between", { timeout: 120_000 }, async () => {
  const before = await world.follow();
  let mined = false;
  const quoting = {
    async price(...asked: Parameters<typeof world.quoting.price>) {
      if (!mined) {
        mined = true;
        await world.devnet.mine();
        await world.follow();
      }
      return world.quoting.price(...asked);
    },
  };
  const lists = createPriceLists(quoting, world.chain.market);
  const { block, results } = await lists.prices(
    [1n, 2n, 3n, 4n, 5n, 6n].map((units) => sale(units * 10n ** 18n)),
    context,
  );
  expect(block).toEqual(before.block);
  const blocks = results.map((result) => "answer" in result && result.answer.block.hash);
  expect(new Set(blocks)).toEqual(new Set([before.block.hash]));
  const now = world.chain.market.current();
  expect("snapshot" in now && now.snapshot.block.number).toBe(before.block.number + 1n);
});

it("takes prices that are kept for the block, and keeps its own for others", { timeout: 120_000 }, async () => {
  await world.follow();
  let searches = 0;
  const counted = {
    ...world.quoting,
    price(...asked: Parameters<typeof world.quoting.price>) {
      searches += 1;
      return world.quoting.price(...asked);
    },
  };
  const cache = createPriceCache({
    ...{ quoting: counted, market: world.chain.market, versions: () => [], most: 100, now: Date.now },
  });
  const lists = createPriceLists(cache.quoting, world.chain.market);
  const asked = [1n, 2n, 2n, 3n].map((units) => sale(units * 10n ** 17n));
  await cache.quoting.price(sale(10n ** 17n), context);
  await lists.prices(asked, context);
  expect(searches).toBe(3);
  await cache.quoting.price(sale(3n * 10n ** 17n), context);
  expect(searches).toBe(3);
  // A market that is not the one of now has none of these.
  const old = await world.follow();
  await world.devnet.mine();
  await world.follow();
  await lists.prices(asked.slice(0, 1), { ...context, at: old });
  expect(searches).toBe(4);
});

it("prices no more of a list once an error that is no refusal has ended it", async () => {
  let asked = 0;
  const quoting = {
    async price(): Promise<never> {
      asked += 1;
      throw new TypeError("a fault of the program");
    },
  };
  const lists = createPriceLists(quoting, world.chain.market);
  const many = Array.from({ length: 32 }, (_, index) => sale(BigInt(index + 1)));
  await expect(lists.prices(many, context)).rejects.toThrow("a fault of the program");
  await new Promise(setImmediate);
  expect(asked).toBeLessThanOrEqual(4);
});
