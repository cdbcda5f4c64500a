import { expect, test } from "vitest";
import type { Address } from "../../../src/domain/address.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { createRouter } from "../../../src/routing/create-router.ts";
import type { PoolGraph } from "../../../src/routing/router.ts";

const token = (digit: number) => `0x${String(digit).repeat(40)}` as Address;
const [SOLD, BOUGHT] = [token(1), token(2)];

const pool = (id: string): Pool => ({
  ...{ id, source: "Uniswap_V2", tokens: [SOLD, BOUGHT], curve: "constant-product" },
  state: { reserves: [10n ** 20n, 10n ** 20n], feeNum: 3n, feeDen: 1000n },
});

/** The steps of a purchase over so many pools, by a router that may have done others before. */
function stepsOf(router: ReturnType<typeof createRouter>, pools: readonly Pool[], buyAmount: bigint): number {
  const graph: PoolGraph = {
    ...{ time: 1n, pool: (id) => pools.find((each) => each.id === id), chunks: () => [pools] },
    poolsOf: (at) => (at === SOLD || at === BOUGHT ? pools : []),
  };
  const told: number[] = [];
  router.findBest({
    order: { kind: "exactOut", sellToken: SOLD, buyToken: BOUGHT, buyAmount },
    ...{ graph, allows: () => true, cost: { gasPrice: 0n, rate: () => undefined } },
    budget: {
      ...{ maxHops: 2, maxFills: 8, maxSteps: 1_000_000, expired: () => false },
      spent: (steps) => told.push(steps),
    },
  });
  expect(told).toHaveLength(1);
  return told[0] as number;
}

test("a search tells its steps, the same for the same request, also where there is no route", () => {
  const router = createRouter();
  const pools = ["a", "b", "c", "d"].map(pool);
  for (const amount of [10n ** 18n, 10n ** 30n]) {
    const steps = stepsOf(router, pools, amount);
    expect(steps).toBeGreaterThan(0);
    expect(stepsOf(router, pools, amount)).toBe(steps);
    expect(stepsOf(createRouter(), pools, amount)).toBe(steps);
  }
  expect(stepsOf(router, pools, 10n ** 18n)).toBeGreaterThan(stepsOf(router, pools.slice(0, 1), 10n ** 18n));
});
