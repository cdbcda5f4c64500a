import { expect, test } from "vitest";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { budgetOf, FREE, graphOf } from "../../../fixtures/routing/request.ts";
import type { SwapOrder } from "../../../src/domain/order.ts";
import type { EulerSwapState } from "../../../src/pools/euler-swap/state.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { createRouter } from "../../../src/routing/create-router.ts";

const [A, B] = [addressOf(1), addressOf(2)];
const E18 = 10n ** 18n;
const AMOUNTS = [E18, 20n * E18, 700n * E18, 2_000n * E18];
const PAIRS = [pairOf(1, [A, B], [100_000n * E18, 200_000n * E18]), pairOf(2, [A, B], [50_000n * E18, 99_900n * E18])];
const plain: EulerSwapState = {
  ...{ version: "v2", reserves: [1_000n * E18, 2_000n * E18], equilibrium: [1_000n * E18, 2_000n * E18] },
  ...{ prices: [2n * E18, E18], concentrations: [E18 / 2n, E18 / 2n], fees: [0n, 0n] },
  ...{ maxIn: [10n ** 26n, 10n ** 26n], maxOut: [999n * E18, 1_998n * E18] },
};

function found(state: EulerSwapState, order: SwapOrder) {
  const pool: Pool = { id: addressOf(77), source: "EulerSwap", tokens: [A, B], curve: "euler-swap", state };
  const graph = graphOf([...PAIRS, pool], 0n);
  const result = createRouter().findBest({ order, graph, allows: () => true, cost: FREE, budget: budgetOf() });
  if (!result.found || result.certificate === undefined) throw new Error("no route");
  return result.certificate;
}

test("no route is beyond its bound where somebody has left a pool above its curve", () => {
  const state: EulerSwapState = { ...plain, reserves: [1_000n * E18, 2_050n * E18] };
  for (const [sellToken, buyToken] of [
    [A, B],
    [B, A],
  ] as const)
    for (const amount of AMOUNTS) {
      const sale = found(state, { kind: "exactIn", sellToken, buyToken, sellAmount: amount });
      expect(sale.bound).toBeGreaterThanOrEqual(sale.achieved);
      const purchase = found(state, { kind: "exactOut", sellToken, buyToken, buyAmount: amount });
      expect(purchase.bound).toBeLessThanOrEqual(purchase.achieved);
    }
});

test("a pool that is sold out of a token hides no route", () => {
  const out: EulerSwapState = { ...plain, concentrations: [E18, E18], reserves: [0n, 4_000n * E18] };
  for (const sellAmount of AMOUNTS) {
    const order: SwapOrder = { kind: "exactIn", sellToken: A, buyToken: B, sellAmount };
    expect(found({ ...out, maxOut: [0n, 3_996n * E18] }, order).achieved).toBeGreaterThan((sellAmount * 19n) / 10n);
  }
});
