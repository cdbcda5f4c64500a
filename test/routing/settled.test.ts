import { expect, test } from "vitest";
import { sqrtRatioAtTick } from "../../src/math/tick-math.ts";
import type { Pool } from "../../src/pools/pool.ts";
import { settle } from "../../src/routing/flow/settled.ts";
import { edgesOf, sessionOf } from "../support/session.ts";
import { addressOf, pairOf } from "../support/universe.ts";

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
    const session = sessionOf(order, pools);
    const flow = settle(session, edgesOf(session), { kind: "sell", amount: Number(sellAmount) }, new Map());
    if (flow === undefined) throw new Error("no flow");
    const proven =
      Math.exp(flow.logPrices.get(session.source) as number) * flow.sellAmount +
      flow.profits.reduce((sum, one) => sum + one, 0);
    expect(proven / flow.buyAmount).toBeCloseTo(1, 6);
  }
});
