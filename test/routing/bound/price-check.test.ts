import { expect, test } from "vitest";
import type { Address } from "../../../src/domain/address.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { stableswapMath } from "../../../src/pools/stableswap/math.ts";
import type { StableswapState } from "../../../src/pools/stableswap/state.ts";
import { createRouter } from "../../../src/routing/create-router.ts";
import type { PoolGraph } from "../../../src/routing/router.ts";

const token = (digit: number) => `0x${String(digit).repeat(40)}` as Address;
const [SOLD, BOUGHT] = [token(1), token(2)];
const ONE = 10n ** 18n;
const HELD = 1_000_000n * ONE;
const CHECKED: StableswapState = {
  ...{ balances: [HELD, HELD], rates: [ONE, ONE], initialA: 10_000n, futureA: 10_000n, initialATime: 0n },
  ...{ futureATime: 0n, aPrecision: 100n, fee: 1_000_000n, adminFee: 0n, generation: "old", killed: false },
  priceCheck: { prices: [ONE, ONE], thresholds: [ONE / 200n, ONE / 200n] },
};

/** Sells over the pool in this state and a pair that is dearer; answers with the certificate and what the pool takes. */
function sold(state: StableswapState, sellAmount: bigint) {
  const tokens = [SOLD, BOUGHT] as const;
  const pools: readonly Pool[] = [
    { id: "checked", source: "Lista", tokens, curve: "stableswap", state },
    {
      ...{ id: "pair", source: "Pair", tokens, curve: "constant-product" },
      state: { reserves: [5n * HELD, 5n * HELD], feeNum: 3n, feeDen: 1_000n },
    },
  ];
  const graph: PoolGraph = {
    time: 1n,
    pool: (id) => pools.find((each) => each.id === id),
    poolsOf: (at) => (at === SOLD || at === BOUGHT ? pools : []),
    chunks: () => [pools],
  };
  const answer = createRouter().findBest({
    order: { kind: "exactIn", sellToken: SOLD, buyToken: BOUGHT, sellAmount },
    ...{ graph, allows: () => true, cost: { gasPrice: 0n, rate: () => undefined } },
    budget: { maxHops: 2, maxFills: 8, maxSteps: 1_000_000, expired: () => false },
  });
  if (!answer.found || answer.certificate === undefined) throw new Error("no route");
  const checked = answer.route.fills.find(({ poolId }) => poolId === "checked")?.sellAmount ?? 0n;
  const { bound, achieved } = answer.certificate;
  expect(bound).toBeGreaterThanOrEqual(achieved);
  return { checked, gap: Number(bound - achieved) / Number(achieved) };
}

test("a route takes of a pool what its price check lets through and the rest elsewhere, as well as the certificate knows", () => {
  const { maxSell } = stableswapMath.limits(CHECKED, { sell: 0, buy: 1 }, 1n);
  expect(maxSell).toBeGreaterThan(0n);
  for (const sellAmount of [HELD / 1_000n, HELD / 5n, 2n * HELD]) {
    const { checked, gap } = sold(CHECKED, sellAmount);
    expect(gap).toBeLessThan(1e-6);
    expect(checked).toBeLessThanOrEqual(maxSell);
    if (sellAmount > maxSell) expect(Number(checked) / Number(maxSell)).toBeGreaterThan(0.999);
  }
});

test("a pool whose price is out of bounds takes part in a sale that brings it back, and in no smaller one", () => {
  const out = (price: bigint): StableswapState => ({
    ...CHECKED,
    priceCheck: { prices: [price, ONE], thresholds: [ONE / 200n, ONE / 200n] },
  });
  const back = out((ONE * 994n) / 1_000n);
  expect(sold(back, HELD / 100_000n).checked).toBe(0n);
  expect(sold(back, HELD).checked).toBeGreaterThan(0n);
  expect(sold(out((ONE * 1_006n) / 1_000n), HELD).checked).toBe(0n);
});
