import { describe, expect, it } from "vitest";
import { randomOf } from "../../../fixtures/random.ts";
import { answerTo } from "../../../fixtures/routing/answer.ts";
import { addressOf, concentratedOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { costAt } from "../../../fixtures/routing/request.ts";
import type { Address } from "../../../src/domain/address.ts";
import type { SwapOrder } from "../../../src/domain/order.ts";
import { fillsOf } from "../../../src/domain/route.ts";
import { mathOf } from "../../../src/pools/pool.ts";
import type { PoolCurve } from "../../../src/pools/pool-math.ts";
import type { Edge } from "../../../src/routing/edges/edges.ts";
import { mostEarned } from "../../../src/routing/edges/trade-at.ts";
import { certifiedTrade } from "../../support/trades/certified-trade.ts";

const E18 = 10n ** 18n;
const TIME = 1_700_000_000n;

describe("the bound of a trade that is worth few uses of pools", () => {
  const stops = Array.from({ length: 5 }, (_, i) => addressOf(i + 1));
  const deep = [10n ** 24n, 10n ** 24n] as const;
  const pools = stops.slice(1).flatMap((stop, i) => {
    const pair = [stops[i] as Address, stop] as const;
    return [pairOf(2 * i, pair, deep), pairOf(2 * i + 1, pair, deep)];
  });
  const [sellToken, buyToken] = [stops[0] as Address, stops[4] as Address];
  /** A unit of gas costs 2 * 10^11 base units of any token: a pool use about a hundredth of the trades below. */
  const cost = costAt(1n, () => ({ num: 200_000_000_000n, den: 1n }));

  it.each<SwapOrder>([
    { kind: "exactIn", sellToken, buyToken, sellAmount: E18 },
    { kind: "exactOut", sellToken, buyToken, buyAmount: E18 },
  ])("is within less than one of them where four have to be paid: $kind", (order) => {
    const result = answerTo(order, pools, cost);
    if (!result.found || result.certificate === undefined) throw new Error("no route");
    const fills = fillsOf(result.route);
    expect(fills).toHaveLength(4);
    const { bound, achieved } = result.certificate;
    const open = order.kind === "exactIn" ? bound - achieved : achieved - bound;
    expect(open).toBeGreaterThanOrEqual(0n);
    expect(open).toBeLessThan(200_000_000_000n * (fills[0]?.gas as bigint));
  });
});

describe("the bound of a trade of a few base units", () => {
  const [sellToken, buyToken] = [addressOf(1), addressOf(2)];
  const pools = [pairOf(1, [sellToken, buyToken], [E18, E18])];

  it("is true where a pool use costs more base units than floats tell apart", () => {
    for (let price = 0n; price < 50n; price++) {
      const cost = costAt(1n, () => ({ num: 10n ** 15n + price, den: 1n }));
      const result = answerTo({ kind: "exactIn", sellToken, buyToken, sellAmount: 5n }, pools, cost);
      if (!result.found || result.certificate === undefined) throw new Error("no route");
      const { bound, achieved } = result.certificate;
      expect(achieved).toBeLessThanOrEqual(bound);
    }
  });
});

describe("the bound of a trade that needs many pool uses, of which each could do most of it", () => {
  const tokens = Array.from({ length: 6 }, (_, i) => addressOf(i + 1));
  const [sellToken, buyToken, ...between] = tokens as [Address, Address, ...Address[]];
  const pools = between.flatMap((token, i) => [
    pairOf(2 * i, [sellToken, token], [10n ** 24n, 10n ** 24n]),
    pairOf(2 * i + 1, [token, buyToken], [10n ** 19n, 10n ** 19n]),
  ]);
  /** A use of a pool costs about a two hundredth of the trades below. */
  const cost = costAt(1n, () => ({ num: 100_000_000_000n, den: 1n }));

  it.each<SwapOrder>([
    { kind: "exactIn", sellToken, buyToken, sellAmount: 2n * E18 },
    { kind: "exactOut", sellToken, buyToken, buyAmount: 2n * E18 },
  ])("is within three of them and a few parts in ten thousand: $kind", (order) => {
    const result = answerTo(order, pools, cost);
    if (!result.found || result.certificate === undefined) throw new Error("no route");
    const fills = fillsOf(result.route);
    expect(fills).toHaveLength(8);
    const { bound, achieved } = result.certificate;
    const open = order.kind === "exactIn" ? bound - achieved : achieved - bound;
    expect(open).toBeGreaterThanOrEqual(0n);
    expect(open).toBeLessThan(3n * 100_000_000_000n * (fills[0]?.gas as bigint) + (3n * achieved) / 10_000n);
  });
});

describe("the bound of a trade that is worth few pool uses, around which hundreds of tokens lie", () => {
  const [sellToken, hub, last, buyToken, ...between] = Array.from({ length: 604 }, (_, i) => addressOf(i + 1)) as [
    Address,
    Address,
    Address,
    Address,
    ...Address[],
  ];
  const random = randomOf(1);
  const deep = () => BigInt(Math.round(1e24 * (0.5 + random())));
  const pools = [
    [hub, last],
    [last, buyToken],
    ...between.flatMap((token) => [
      [sellToken, token],
      [token, hub],
    ]),
  ].map((pair, i) => {
    const size = deep();
    return pairOf(i, pair as [Address, Address], [size, size]);
  });
  /** A use of a pool costs about a tenth of the trade below. */
  const cost = costAt(1n, () => ({ num: 2_000_000_000_000n, den: 1n }));

  it("is within less than one of them: a token costs more than the parcel by which a pool does not earn its gas", () => {
    const result = answerTo({ kind: "exactIn", sellToken, buyToken, sellAmount: E18 }, pools, cost);
    if (!result.found || result.certificate === undefined) throw new Error("no route");
    const fills = fillsOf(result.route);
    expect(fills).toHaveLength(4);
    const { bound, achieved } = result.certificate;
    expect(bound).toBeGreaterThanOrEqual(achieved);
    expect(bound - achieved).toBeLessThan(2_000_000_000_000n * (fills[0]?.gas as bigint));
  });
});

describe("the bound where a route has to choose between tokens to pass through", () => {
  const [sellToken, buyToken, ...between] = [1, 2, 3, 4, 5].map((n) => addressOf(n)) as [
    Address,
    Address,
    ...Address[],
  ];

  /** Deep pools on one side of three tokens and small ones on the other, and a trade that is worth some 30 to 300 pool uses. */
  function tradeIn(seed: number) {
    const random = randomOf(seed);
    const size = (least: number, most: number) => BigInt(Math.round(10 ** (least + (most - least) * random())));
    const pools = between.flatMap((token, i) => {
      const [deep, small] = [size(19, 21), size(17, 19)];
      const last = [i === 0 ? sellToken : token, buyToken] as const;
      return [
        pairOf(3 * i, [sellToken, token], [deep, deep]),
        pairOf(3 * i + 1, [token, buyToken], [small, small]),
        pairOf(3 * i + 2, last, [small / 3n, small / 3n]),
      ];
    });
    const sellAmount = size(16.5, 18.5);
    const use = sellAmount / size(1.5, 2.5);
    return { seed, use, ...certifiedTrade([sellToken, buyToken], pools, { sellAmount, use, time: TIME }) };
  }

  const trades = Array.from({ length: 200 }, (_, seed) => tradeIn(seed));

  it("is never beaten by exhaustive search", () => {
    expect(trades.filter(({ best, bound }) => best > bound).map(({ seed }) => seed)).toEqual([]);
  });

  it("is within two pool uses of the route, which each pool may pay in part", () => {
    const open = trades.filter(({ bound, achieved, use }) => bound - achieved > 2n * use + (3n * achieved) / 10_000n);
    expect(open.map(({ seed }) => seed)).toEqual([]);
  });
});

describe("what a pool earns at most within its room", () => {
  const tokens = [addressOf(1), addressOf(2)] as const;
  const pools = [pairOf(1, tokens, [10n ** 20n, 10n ** 20n]), concentratedOf(2, tokens, 100, 10n ** 20n)];
  const edges = pools.flatMap((pool) =>
    [0, 1].map((sell): Edge => {
      const direction = { sell, buy: 1 - sell };
      const curve = mathOf(pool).curve(pool.state, direction, TIME) as PoolCurve;
      const spot = curve.marginalRate(0);
      return {
        ...{
          pool,
          direction,
          from: sell,
          to: 1 - sell,
          curve,
          spot,
          depth: Number.NaN,
          deepest: Number.POSITIVE_INFINITY,
          width: 1,
        },
        ...{ gas: curve.gas, poolNumber: 1 },
      };
    }),
  );

  it("is what its best trade earns, whichever of what it sells and buys is limited", () => {
    for (const edge of edges)
      for (const mostSold of [1e16, 1e18, Number.POSITIVE_INFINITY])
        for (const mostBought of [1e16, 1e18, Number.POSITIVE_INFINITY])
          for (const rate of [0.5, 0.9, 0.99].map((part) => part * edge.spot)) {
            const { sellAmount, buyAmount } = mostEarned(edge, rate, mostSold, mostBought);
            const found = buyAmount - rate * sellAmount;
            const wanted = Math.min(edge.curve.sellAmountAtRate(rate), mostSold, (1.2 * mostBought) / edge.spot);
            let best = 0;
            for (let part = 1; part <= 4000; part++) {
              const sell = (wanted * part) / 4000;
              const buy = edge.curve.buyAmountFor(sell);
              if (buy <= mostBought) best = Math.max(best, buy - rate * sell);
            }
            expect(found).toBeGreaterThanOrEqual(best * (1 - 1e-12));
            expect(found).toBeLessThanOrEqual(best * 1.001);
            expect(buyAmount).toBeLessThanOrEqual(mostBought);
          }
  });
});
