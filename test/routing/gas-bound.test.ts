import { describe, expect, it } from "vitest";
import type { Address } from "../../src/domain/address.ts";
import type { SwapOrder } from "../../src/domain/order.ts";
import { fillsOf } from "../../src/domain/route.ts";
import { mathOf } from "../../src/pools/pool.ts";
import type { PoolCurve } from "../../src/pools/pool-math.ts";
import type { Edge } from "../../src/routing/edges.ts";
import { paidEdge } from "../../src/routing/paid-edge.ts";
import { answerTo } from "../support/answer.ts";
import { addressOf, concentratedOf, costAt, pairOf } from "../support/universe.ts";

const E18 = 10n ** 18n;
const TIME = 1_700_000_000n;

describe("the bound of a trade that is worth few touches of pools", () => {
  const stops = Array.from({ length: 5 }, (_, i) => addressOf(i + 1));
  const deep = [10n ** 24n, 10n ** 24n] as const;
  const pools = stops.slice(1).flatMap((stop, i) => {
    const pair = [stops[i] as Address, stop] as const;
    return [pairOf(2 * i, pair, deep), pairOf(2 * i + 1, pair, deep)];
  });
  const [sellToken, buyToken] = [stops[0] as Address, stops[4] as Address];
  /** A unit of gas costs 2 * 10^11 base units of any token: a touch about a hundredth of the trades below. */
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

  it("is true where a touch costs more base units than floats tell apart", () => {
    for (let price = 0n; price < 50n; price++) {
      const cost = costAt(1n, () => ({ num: 10n ** 15n + price, den: 1n }));
      const result = answerTo({ kind: "exactIn", sellToken, buyToken, sellAmount: 5n }, pools, cost);
      if (!result.found || result.certificate === undefined) throw new Error("no route");
      const { bound, achieved } = result.certificate;
      expect(achieved).toBeLessThanOrEqual(bound);
    }
  });
});

describe("a pool after the gas of a touch", () => {
  const tokens = [addressOf(1), addressOf(2)] as const;
  const pools = [pairOf(1, tokens, [10n ** 20n, 10n ** 20n]), concentratedOf(2, tokens, 100, 10n ** 20n)];
  const edges = pools.flatMap((pool) =>
    [0, 1].map((sell): Edge => {
      const direction = { sell, buy: 1 - sell };
      const curve = mathOf(pool).curve(pool.state, direction, TIME) as PoolCurve;
      const spot = curve.marginalRate(0);
      const depth = pool.curve === "constant-product" ? curve.sellAmountAtRate(spot / 4) : Number.NaN;
      return { pool, direction, from: sell, to: 1 - sell, curve, spot, depth, width: 1, gas: curve.gas, poolNumber: 1 };
    }),
  );

  it("never earns less than the pool less its gas, and for a width of next to nothing no more than on a straight line", () => {
    for (const edge of edges)
      for (const room of [1e17, 1e19, 1e23])
        for (const gas of [1e12, 1e15, 1e17]) {
          const paid = paidEdge(edge, gas, room, 1e-6, 0);
          const earns = (sell: number) => edge.curve.buyAmountFor(sell) - gas;
          if (paid === undefined) {
            expect(earns(Math.min(room, edge.curve.maxSell))).toBeLessThanOrEqual(0);
            continue;
          }
          const most = Math.min(room, edge.curve.maxSell);
          for (const rate of [0.2, 0.5, 0.9, 0.99, 0.999].map((part) => part * edge.spot)) {
            const sell = Math.min(edge.curve.sellAmountAtRate(rate), most);
            const profit = Math.max(0, earns(sell) - rate * sell);
            const into = new Float64Array(3);
            paid.curve.tradeAtRate?.(rate, into);
            const found = (into[1] as number) - rate * (into[0] as number);
            expect(into[0]).toBeLessThanOrEqual(most);
            expect(found / (rate * most)).toBeGreaterThanOrEqual((profit / (rate * most)) * (1 - 1e-9) - 2e-6);
            expect(found / (rate * most)).toBeLessThanOrEqual((profit / (rate * most)) * (1 + 1e-9) + 2e-6);
          }
        }
  });
});
