import { describe, expect, it } from "vitest";
import { randomOf } from "../../../fixtures/random.ts";
import { answerTo } from "../../../fixtures/routing/answer.ts";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { costAt } from "../../../fixtures/routing/request.ts";
import type { Address } from "../../../src/domain/address.ts";
import type { SwapOrder } from "../../../src/domain/order.ts";
import { fillsOf } from "../../../src/domain/route.ts";
import { sqrtRatioAtTick } from "../../../src/math/tick-math.ts";
import { mathOf, type Pool } from "../../../src/pools/pool.ts";
import type { PoolCurve } from "../../../src/pools/pool-math.ts";
import type { Edge } from "../../../src/routing/edges/edges.ts";
import { mostEarnedAfterGas } from "../../../src/routing/edges/trade-at.ts";
import { useOver } from "../../../src/routing/flow/gas-term.ts";
import { netOf, solveGoal } from "../../../src/routing/flow/goal.ts";
import type { Split } from "../../../src/routing/flow/solve-split.ts";
import { endedAtTicks } from "../../../src/routing/search/end-at-ticks.ts";
import type { Search } from "../../../src/routing/session/search.ts";
import { certifiedTrade } from "../../support/trades/certified-trade.ts";
import { edgesOf, searchOf } from "../../support/trades/search.ts";

const TIME = 1_700_000_000n;

/** A pool with liquidity of its own between each two of many ticks, as `sizeOf` says. */
function tickedOf(n: number, tokens: readonly [Address, Address], tickSpacing: number, sizeOf: () => bigint): Pool {
  const reach = 30;
  const sizes = Array.from({ length: 2 * reach }, sizeOf);
  const ticks = Array.from({ length: 2 * reach + 1 }, (_, i) => {
    const [before, after] = [sizes[i - 1] ?? 0n, sizes[i] ?? 0n];
    return { index: (i - reach) * tickSpacing, liquidityNet: after - before, liquidityGross: after + before };
  });
  return {
    ...{ id: addressOf(n, "pool"), source: "Uniswap_V3", tokens, curve: "concentrated" },
    state: {
      ...{ sqrtPriceX96: sqrtRatioAtTick(0), tick: 0, liquidity: sizes[reach] as bigint },
      ...{ feePpm: 500, tickSpacing, ticks },
    },
  };
}

describe("the bound of a trade over pools whose gas grows with the ticks that are crossed", () => {
  const [sellToken, buyToken, middle] = [1, 2, 3].map((n) => addressOf(n)) as [Address, Address, Address];

  /** Pools with ticks side by side and behind each other, and a trade that is worth some 50 to 500 pool uses. */
  function tradeIn(seed: number) {
    const random = randomOf(seed);
    const size = (least: number, most: number) => BigInt(Math.round(10 ** (least + (most - least) * random())));
    const sizes = () => size(18.5, 20.5);
    const deep = size(18, 20);
    const pools = [
      tickedOf(1, [sellToken, buyToken], 10, sizes),
      tickedOf(2, [sellToken, middle], 10, sizes),
      tickedOf(3, [middle, buyToken], 10, sizes),
      pairOf(4, [sellToken, buyToken], [deep, deep]),
    ];
    const sellAmount = size(16, 18);
    const use = sellAmount / size(1.7, 2.7);
    return { seed, use, ...certifiedTrade([sellToken, buyToken], pools, { sellAmount, use, time: TIME }) };
  }

  const trades = Array.from({ length: 200 }, (_, seed) => tradeIn(seed));

  it("is never beaten by exhaustive search", () => {
    expect(trades.filter(({ best, bound }) => best > bound).map(({ seed }) => seed)).toEqual([]);
  });

  it("is within two pool uses of the route", () => {
    const open = trades.filter(({ bound, achieved, use }) => bound - achieved > 2n * use);
    expect(open.map(({ seed }) => seed)).toEqual([]);
  });
});

describe("a sale over pools with ticks", () => {
  const [sellToken, buyToken, middle] = [1, 2, 3].map((n) => addressOf(n)) as [Address, Address, Address];
  const sellAmount = 6n * 10n ** 18n;

  /**
   * Gaps of the bounds of twenty trades, in pool uses, least first: twelve pools lie between each two of three tokens.
   * A trade is worth so many pool uses.
   */
  function opensIn(worth: bigint): number[] {
    const use = sellAmount / worth;
    const cost = costAt(1n, () => ({ num: use / 60_000n, den: 1n }));
    const openIn = (seed: number): number => {
      const random = randomOf(seed);
      const sizes = () => BigInt(Math.round(10 ** (18.5 + 2 * random())));
      const pairs = [
        [sellToken, buyToken],
        [sellToken, middle],
        [middle, buyToken],
      ] as const;
      const pools = pairs.flatMap((pair, i) =>
        Array.from({ length: 12 }, (_, k) => tickedOf(1 + 12 * i + k, pair, 10, sizes)),
      );
      const result = answerTo({ kind: "exactIn", sellToken, buyToken, sellAmount }, pools, cost);
      if (!result.found || result.certificate === undefined) throw new Error("no route");
      return Number(result.certificate.bound - result.certificate.achieved) / Number(use);
    };
    return Array.from({ length: 20 }, (_, seed) => openIn(seed)).sort((a, b) => a - b);
  }

  it("goes without pools that do not earn the gas of the ticks that they end at, not of all that a split crosses", () => {
    const opens = opensIn(30_000n);
    // Half of these leave more than 7 pool uses open if pools are left out before they end at ticks.
    expect(opens[0]).toBeGreaterThanOrEqual(0);
    expect(opens[10]).toBeLessThan(3);
    expect(opens[19]).toBeLessThan(15);
  });
});

describe("the bound of a trade that has to cross many ticks", () => {
  const [sellToken, buyToken] = [addressOf(1), addressOf(2)];
  const pools = [tickedOf(1, [sellToken, buyToken], 60, () => 10n ** 20n)];
  /** A use of a pool costs about a ten thousandth of the trades below, and each of twenty ticks two fifths of that. */
  const use = 10n ** 15n;
  const cost = costAt(1n, () => ({ num: use / 60_000n, den: 1n }));

  it.each<SwapOrder>([
    { kind: "exactIn", sellToken, buyToken, sellAmount: 6n * 10n ** 18n },
    { kind: "exactOut", sellToken, buyToken, buyAmount: 6n * 10n ** 18n },
  ])("is within less than a pool use: $kind", (order) => {
    const result = answerTo(order, pools, cost);
    if (!result.found || result.certificate === undefined) throw new Error("no route");
    expect(fillsOf(result.route)[0]?.gas).toBeGreaterThan(500_000n);
    const { bound, achieved } = result.certificate;
    const open = order.kind === "exactIn" ? bound - achieved : achieved - bound;
    expect(open).toBeGreaterThanOrEqual(0n);
    expect(open).toBeLessThan(use);
  });
});

describe("what a pool with ticks earns at most after its gas", () => {
  const random = randomOf(7);
  const sizes = () => BigInt(Math.round(10 ** (18 + 2 * random())));
  const pool = tickedOf(1, [addressOf(1), addressOf(2)], 10, sizes);
  const edges = [0, 1].map((sell): Edge => {
    const direction = { sell, buy: 1 - sell };
    const curve = mathOf(pool).curve(pool.state, direction, TIME) as PoolCurve;
    return {
      ...{
        pool,
        direction,
        from: sell,
        to: 1 - sell,
        curve,
        spot: curve.marginalRate(0),
        depth: Number.NaN,
        deepest: Number.POSITIVE_INFINITY,
        width: 1,
      },
      ...{ gas: curve.gas, poolNumber: 1 },
    };
  });

  it("is what its best trade earns, whatever ticks that crosses", () => {
    const stopped = new Set<boolean>();
    for (const edge of edges)
      for (const costPerGas of [1e8, 1e9, 1e10, 1e11])
        for (const room of [1e16, 1e17, Number.POSITIVE_INFINITY])
          for (const rate of [0.98, 0.99, 0.995].map((part) => part * edge.spot)) {
            const { sellAmount, buyAmount, gas } = mostEarnedAfterGas(edge, rate, 1, costPerGas, room, room);
            const earned = buyAmount - rate * sellAmount - gas * costPerGas;
            const wanted = Math.min(edge.curve.sellAmountAtRate(rate), room);
            let best = Number.NEGATIVE_INFINITY;
            for (let part = 1; part <= 20_000; part++) {
              const sell = (wanted * part) / 20_000;
              const buy = edge.curve.buyAmountFor(sell);
              const after = buy - rate * sell - (edge.curve.gasFor?.(sell) as number) * costPerGas;
              if (buy <= room) best = Math.max(best, after);
            }
            expect(earned).toBeGreaterThanOrEqual(best - 1e-12 * buyAmount);
            expect(earned).toBeLessThanOrEqual(best + 1e-4 * buyAmount);
            expect(gas).toBe(edge.curve.gasFor?.(sellAmount));
            stopped.add(sellAmount < 0.99 * wanted);
          }
    expect(stopped).toEqual(new Set([true, false]));
  });

  it("is no more than what prices are minimised for, which rounds kinks and grows as it says", () => {
    const trade = new Float64Array(3);
    let partly = 0;
    for (const { curve, ...edge } of edges)
      for (const costPerGas of [1e9, 1e10, 1e11])
        for (let part = 0.98; part < 0.999; part += 0.0007) {
          const at = (rate: number, buyPrice: number, width: number) => {
            curve.tradeAtRate?.(rate / buyPrice, trade);
            const stretches = curve.gasStretches?.(trade[0] as number) as readonly number[];
            const prices = { sell: rate, buy: buyPrice, gas: costPerGas };
            return useOver(stretches, trade, prices, { width, least: 0, reach: 0 });
          };
          const rate = part * edge.spot;
          const { POSITIVE_INFINITY: any } = Number;
          const best = mostEarnedAfterGas({ ...edge, curve }, rate, 1, costPerGas, any, any);
          const exact = Math.max(0, best.buyAmount - rate * best.sellAmount - best.gas * costPerGas);
          expect(Math.abs(at(rate, 1, 1e-9).profit - exact)).toBeLessThan(1e-9 * best.buyAmount + costPerGas);
          const { profit: rounded, paid, earned, gas } = at(rate, 1, 0.3);
          expect(rounded).toBeGreaterThanOrEqual(exact - 1e-9 * best.buyAmount);
          if (Math.abs(gas - best.gas) > 10) partly++;
          const step = 1e-7;
          const near = 0.01 * Math.max(paid, 10_000 * costPerGas);
          expect(Math.abs((at(rate * (1 - step), 1, 0.3).profit - rounded) / step - paid)).toBeLessThan(near);
          expect(Math.abs((at(rate, 1 + step, 0.3).profit - rounded) / step - earned)).toBeLessThan(near);
        }
    expect(partly).toBeGreaterThan(10);
  });
});

describe("a flow over pools whose gas grows with the ticks that are crossed", () => {
  const [sellToken, buyToken] = [addressOf(1), addressOf(2)];
  const order: SwapOrder = { kind: "exactIn", sellToken, buyToken, sellAmount: 10n ** 18n };
  const amount = Number(order.sellAmount);

  /** Worth of a flow over eight parallel pools after its gas, and its worth if pools end at ticks. */
  function worthsIn(seed: number): readonly [number, number] {
    const random = randomOf(seed);
    const sizes = () => BigInt(Math.round(10 ** (18.5 + 2 * random())));
    const pools = Array.from({ length: 8 }, (_, i) => tickedOf(i + 1, [sellToken, buyToken], 10, sizes));
    const base = searchOf(order, pools);
    const search: Search = { ...base, side: "exactIn", amount, costPerGas: amount / 60_000 / 3_000, maxFills: 128 };
    const flow = solveGoal(search, edgesOf(base), amount, new Map()) as Split;
    return [netOf(search, flow), netOf(search, endedAtTicks(search, flow))];
  }

  it("is worth more where pools end at ticks that its own prices do not pay for", () => {
    const worths = Array.from({ length: 40 }, (_, seed) => worthsIn(seed));
    expect(worths.every(([before, after]) => after >= before)).toBe(true);
    expect(worths.filter(([before, after]) => after > before + 1e-4 * amount).length).toBeGreaterThan(20);
  });
});
