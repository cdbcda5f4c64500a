import { expect, it } from "vitest";
import { addressOf } from "../../../fixtures/routing/pools.ts";
import { makerPairId } from "../../../src/domain/maker-order.ts";
import { ALL_ON } from "../../../src/domain/switches.ts";
import { withLevels } from "../../../src/market/indicative.ts";
import { createPoolStore } from "../../../src/market/pool-store.ts";
import type { Snapshot } from "../../../src/market/snapshot.ts";
import { isMakers, type Pool } from "../../../src/pools/pool.ts";
import type { SwapRequest } from "../../../src/quoting/answer/types.ts";
import type { FirmOrderRequest, MakerDesk } from "../../../src/quoting/maker-ports.ts";
import { withFirmOrders } from "../../../src/quoting/quote/firm-orders.ts";
import { ALL_PLAIN, searchTested } from "../../../src/quoting/quote/tested-tokens.ts";
import type { SearchSetting } from "../../../src/quoting/search/route-query.ts";
import type { RequestSearch } from "../../../src/quoting/search/route-search.ts";
import { createSearchInThread } from "../../../src/quoting/search/search-in-thread.ts";
import { createThreadTurns } from "../../../src/quoting/search/thread-turns.ts";
import { createRouter } from "../../../src/routing/create-router.ts";
import { makerTrade } from "../../support/trades/maker-trade.ts";

/** The first of the trades; TRIBUTARY_SEED takes others. */
const FIRST = Number(process.env.TRIBUTARY_SEED ?? 0);
const TRADES = 25;
const TIME = 1_700_000_000n;
const token = (address: SwapRequest["sellToken"]["address"]) => ({ address, symbol: "T", name: "T", decimals: 18 });

/** An order for exactly what was asked, so many parts in 10,000 better than its level. */
function orderFor({ source, takerToken, makerToken, amount, level }: FirmOrderRequest, bps: bigint): Pool {
  const other = level?.amount ?? 0n;
  const [takerAmount, makerAmount] =
    amount.kind === "exactIn"
      ? [amount.takerAmount, (other * (10_000n + bps)) / 10_000n]
      : [(other * (10_000n - bps)) / 10_000n, amount.makerAmount];
  const address = addressOf(1, "pool");
  const order = {
    ...{ maker: address, taker: address, trader: address, makerToken, takerToken, makerAmount, takerAmount },
    ...{ minTakerAmount: 1n, expiry: TIME + 60n, nonce: 1n, refillable: false },
  };
  return {
    ...{ id: makerPairId(source, takerToken, makerToken), source, tokens: [takerToken, makerToken] },
    curve: "signed-order",
    state: { order, signature: "0x", settlement: address, spot: { num: makerAmount, den: takerAmount }, filled: false },
  };
}

/** A quote over levels whose makers give orders so much better, and the best route that a search over the orders finds. */
async function quoteWith(seed: number, bps: bigint) {
  const { order, pools } = makerTrade(seed, seed % 2 === 0 ? "exactIn" : "exactOut");
  const store = createPoolStore();
  for (const pool of pools) if (!isMakers(pool)) store.set(pool.id, pool);
  const block = { number: 5n, hash: "0x05", parentHash: "0x04", timestamp: TIME } as const;
  const rates = { perNative: () => undefined };
  const bare = { block, graph: store.freeze(TIME), rates, known: new Map() } as unknown as Snapshot;
  const levels = pools.filter(isMakers).map((pool, i) => ({ ...pool, source: `Desk${i}` }));
  const signal = new AbortController().signal;
  const turns = createThreadTurns(() => performance.now());
  const { findBest, ...others } = createSearchInThread(createRouter(), turns, Date.now).begin({ signal });
  let searches = 0;
  const search: RequestSearch = {
    ...others,
    findBest: (query) => {
      searches += 1;
      return findBest(query);
    },
  };
  const setting = {
    ...{ snapshot: withLevels(bare, levels), sources: new Map(), verdicts: ALL_PLAIN, off: ALL_ON, gasPrice: 0n },
    ...{ budget: { maxHops: 4, maxFills: 128, maxSteps: 1e7 }, settlement: {}, recordRoute: () => {}, search },
  } as unknown as SearchSetting;
  const makers: MakerDesk = {
    quotersOf: () => [],
    settled: () => {},
    firmOrders: async (asks) => asks.map((ask) => orderFor(ask, bps)),
  };
  const amount: SwapRequest["amount"] =
    order.kind === "exactIn"
      ? { kind: "exactIn", sellAmount: order.sellAmount }
      : { kind: "exactOut", buyAmount: order.buyAmount };
  const request: SwapRequest = {
    ...{ sellToken: token(order.sellToken), buyToken: token(order.buyToken), amount, sources: { kind: "all" } },
    ...{ taker: addressOf(7), skipValidation: true, slippage: 0n },
  };
  const context = { requestId: "firm", signal };
  const options = { makers, wrappedNative: addressOf(99), from: TIME };
  const after = await withFirmOrders(request, context, setting, options);
  const asked = searches;
  const quoted = await searchTested(request, after, new Set());
  const isKept = searches === asked;
  const searched = await searchTested(request, { ...after, takeKnown: () => undefined }, new Set());
  return { order, quoted, searched, isKept, usesOrders: after.snapshot.offers !== undefined };
}

/** Amounts that a quote and a search over its orders achieve, higher is better; undefined where a certificate is missing. */
async function compareWith(seed: number, bps: bigint) {
  const { order, quoted, searched, isKept, usesOrders } = await quoteWith(seed, bps);
  if (!quoted.found || !searched.found || quoted.certificate === undefined || searched.certificate === undefined)
    return undefined;
  const sign = order.kind === "exactIn" ? 1n : -1n;
  const [own, other] = [quoted.certificate, searched.certificate].map(({ bound, achieved }) => ({
    bound: sign * bound,
    achieved: sign * achieved,
  })) as [typeof quoted.certificate, typeof quoted.certificate];
  return { usesOrders, isKept, route: quoted.route, ...own, searched: other.achieved };
}

async function quotesWith(bps: bigint) {
  const quotes = [];
  for (let seed = FIRST; seed < FIRST + TRADES; seed++) quotes.push(await compareWith(seed, bps));
  return quotes.filter((quote) => quote !== undefined).filter(({ usesOrders }) => usesOrders);
}

it("orders as good as their levels keep the route, and its bound holds for what a search over them finds", async () => {
  for (const bps of [0n, 3n]) {
    const kept = (await quotesWith(bps)).filter(({ isKept }) => isKept);
    expect(kept.length).toBeGreaterThan(2);
    for (const { bound, achieved, searched } of kept) {
      expect(bound).toBeGreaterThanOrEqual(searched);
      expect(bound).toBeGreaterThanOrEqual(achieved);
      // Makers' levels are steps: of two searches, one may stumble where the other does not.
      expect((searched - achieved) * 10_000n).toBeLessThanOrEqual(5n * (bound < 0n ? -bound : bound));
    }
  }
});

it("orders worse than their levels have the route searched again", async () => {
  const quotes = await quotesWith(-1n);
  expect(quotes.length).toBeGreaterThan(2);
  expect(quotes.filter(({ isKept }) => isKept)).toEqual([]);
});

it("a market that a search finds too small for worse orders is quoted over the route of their levels", async () => {
  const { quoted, searched } = await quoteWith(144, -1n);
  expect(searched.found).toBe(false);
  expect(quoted.found).toBe(true);
});
