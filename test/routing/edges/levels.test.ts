import { describe, expect, it, test } from "vitest";
import { answerTo } from "../../../fixtures/routing/answer.ts";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { costAt } from "../../../fixtures/routing/request.ts";
import { tradeAt } from "../../../src/routing/edges/trade-at.ts";
import { solveSplit } from "../../../src/routing/flow/solve-split.ts";
import { makerOf, makerTrade } from "../../support/trades/maker-trade.ts";
import { edgesOf, searchOf } from "../../support/trades/search.ts";

const [A, B, C, D] = [addressOf(1), addressOf(2), addressOf(3), addressOf(4)];
const E18 = 10n ** 18n;

describe("a flow over curves that are straight", () => {
  // At their own rates makers sell anything between nothing and all: two in line, and two that would do next to them.
  const pools = [
    makerOf(1, [A, C], 2n * E18),
    makerOf(2, [C, B], 2n * E18),
    pairOf(3, [A, D], [10n * E18, 10n * E18], 1n, 10_000n),
    makerOf(4, [D, B], 2n * E18),
  ];

  test("parts a trade where the prices of makers do not tell how much each of them gets", () => {
    const search = searchOf({ kind: "exactIn", sellToken: A, buyToken: B, sellAmount: E18 }, pools);
    const flow = solveSplit(search, edgesOf(search), { side: "exactIn", amount: 1e18 }, new Map());
    if (flow === undefined) throw new Error("no flow");
    expect(flow.stuck).toBe(0);
    const sold = new Map(flow.support.edges.map(({ pool }, i) => [Number(pool.id.slice(-4)), flow.sells[i] as number]));
    // The pool's rate falls to that of the maker beside it.
    const best = (1e19 / 0.9999) * (Math.sqrt(0.9999 / 0.997) - 1);
    expect((sold.get(3) as number) / best).toBeCloseTo(1, 3);
    expect(((sold.get(1) as number) + (sold.get(3) as number)) / 1e18).toBeCloseTo(1, 9);
  });

  test("asks a level for a part at its own rate alone", () => {
    const search = searchOf({ kind: "exactIn", sellToken: A, buyToken: C, sellAmount: E18 }, pools);
    const maker = edgesOf(search).find(({ pool }) => pool.id === addressOf(1, "pool"));
    if (maker === undefined) throw new Error("no edge");
    const sells = (rate: number): number => {
      const trade = new Float64Array(3);
      tradeAt(maker.curve, rate, trade);
      return (trade[0] as number) / 2e18;
    };
    expect(sells(0.997 * (1 + 1e-9))).toBe(0);
    expect(sells(0.997 * (1 - 5e-8))).toBeCloseTo(0.5, 2);
    expect(sells(0.997 * (1 - 2e-7))).toBe(1);
  });
});

const SEEDS = Array.from({ length: 40 }, (_, i) => i + 1);

/** Makers met at their own rates. Some left up to 40 basis points open when a flow took all of a level, or nothing. */
describe.each(["exactIn", "exactOut"] as const)("a trade over makers and pools, %s", (kind) => {
  it.each(SEEDS)("is proven to be the best one to a hundredth of a basis point: seed %i", (seed) => {
    const { order, pools } = makerTrade(seed, kind);
    const answer = answerTo(order, pools);
    if (!answer.found) {
      expect(answer.reason.kind).toMatch(/NOT_ENOUGH_LIQUIDITY|NO_PATH/);
      return;
    }
    const { bound, achieved } = answer.certificate ?? { bound: 0n, achieved: 0n };
    const open = Math.abs(Number(bound - achieved)) / Number(achieved);
    expect(open).toBeLessThanOrEqual(1e-6);
  });
});

/** Purchases that were refused since the flow before prices were minimised with gas does not reach the amount. */
it.each([1050, 1521, 8534])("a purchase with gas that there is room for has a route: seed %i", (seed) => {
  const { order, pools } = makerTrade(seed, "exactOut");
  const amount = order.kind === "exactOut" ? order.buyAmount : 0n;
  expect(
    answerTo(
      order,
      pools,
      costAt(1n, () => ({ num: amount / 10n ** 7n, den: 1n })),
    ).found,
  ).toBe(true);
});
