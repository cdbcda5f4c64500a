import { expect, test } from "vitest";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { sqrtRatioAtTick } from "../../../src/math/tick-math.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { solveGoal } from "../../../src/routing/flow/goal.ts";
import { solveSplit } from "../../../src/routing/flow/solve-split.ts";
import type { Search } from "../../../src/routing/session/search.ts";
import { edgesOf, searchOf } from "../../support/trades/search.ts";

const [A, B, C] = [addressOf(1), addressOf(2), addressOf(3)];
const LIQUIDITY = 10n ** 18n;

/** Liquidity from 600 ticks below the price to as many above, and again from 6,600 to 6,000 below. */
const withGap: Pool = {
  id: addressOf(1, "pool"),
  source: "Uniswap_V3",
  tokens: [A, B],
  curve: "concentrated",
  state: {
    sqrtPriceX96: sqrtRatioAtTick(0),
    tick: 0,
    liquidity: LIQUIDITY,
    feePpm: 3000,
    tickSpacing: 60,
    ticks: [-6600, -6000, -600, 600].map((index, i) => ({
      index,
      liquidityNet: i % 2 === 0 ? LIQUIDITY : -LIQUIDITY,
      liquidityGross: LIQUIDITY,
    })),
  },
};

test("a flow keeps the prices that prove it where a pool has sold all before a gap in its liquidity", () => {
  const pools = [
    withGap,
    pairOf(2, [A, B], [LIQUIDITY, LIQUIDITY]),
    pairOf(3, [C, A], [LIQUIDITY, LIQUIDITY]),
    pairOf(4, [C, A], [LIQUIDITY / 10n, LIQUIDITY / 9n]),
  ];
  for (let parts = 2; parts <= 20; parts++) {
    const sellAmount = LIQUIDITY / 10n + (LIQUIDITY * BigInt(parts)) / 100n;
    const order = { kind: "exactIn", sellToken: C, buyToken: B, sellAmount } as const;
    const base = searchOf(order, pools);
    const flow = solveSplit(base, edgesOf(base), { side: "exactIn", amount: Number(sellAmount) }, new Map());
    if (flow === undefined) throw new Error("no flow");
    const proven =
      Math.exp(flow.logPrices.get(base.source) as number) * flow.sellAmount +
      flow.profits.reduce((sum, one) => sum + one, 0);
    expect(proven / flow.buyAmount).toBeCloseTo(1, 6);
  }
});

test.each(["exactIn", "exactOut"] as const)("an %s flow that is worth too little is none", (side) => {
  const pools = [
    pairOf(1, [A, B], [LIQUIDITY, LIQUIDITY]),
    pairOf(2, [A, B], [LIQUIDITY / 10n, LIQUIDITY / 9n]),
    pairOf(3, [A, C], [LIQUIDITY, LIQUIDITY]),
    pairOf(4, [C, B], [LIQUIDITY, LIQUIDITY]),
  ];
  const amount = Number(LIQUIDITY / 10n);
  const order = { kind: "exactIn", sellToken: A, buyToken: B, sellAmount: LIQUIDITY / 10n } as const;
  const base = searchOf(order, pools);
  const search: Search = { ...base, side, amount, costPerGas: 0, maxFills: 128 };
  const solved = (least?: number) =>
    solveGoal(least === undefined ? search : { ...search, least }, edgesOf(base), amount, new Map());
  const flow = solved();
  if (flow === undefined) throw new Error("no flow");
  const worth = side === "exactIn" ? flow.buyAmount : -flow.sellAmount;
  expect(solved(worth + 1e-6 * amount)).toBeUndefined();
  expect(solved(worth - 1e-6 * amount)).toEqual(flow);
});
