import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { randomOf } from "../../../fixtures/random.ts";
import { addressOf, concentratedOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { budgetOf, FREE, graphOf } from "../../../fixtures/routing/request.ts";
import type { Address } from "../../../src/domain/address.ts";
import { fillsOf } from "../../../src/domain/route.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { createRouter } from "../../../src/routing/create-router.ts";
import { Bundle } from "../../../src/routing/edges/bundle.ts";
import { createEdgeStore } from "../../../src/routing/graph/edge-store.ts";
import type { RouteRequest } from "../../../src/routing/router.ts";

const [A, B, C] = [addressOf(1), addressOf(2), addressOf(3)];
const E18 = 10n ** 18n;

/** Pools between two tokens at about one to one, every third of them concentrated. */
function parallel(first: number, count: number, tokens: readonly [Address, Address], random: () => number): Pool[] {
  return Array.from({ length: count }, (_, i) => {
    const size = E18 * BigInt(1 + Math.floor(1_000 * random()));
    if (i % 3 === 0) return concentratedOf(first + i, tokens, Math.floor(100 * (random() - 0.5)), 30n * size);
    const other = (size * BigInt(9_950 + Math.floor(100 * random()))) / 10_000n;
    return pairOf(first + i, tokens, [size, other]);
  });
}

describe("a bundle of parallel pools", () => {
  it("sells and buys at every rate what its pools do together", () => {
    const run = fc.property(fc.nat(), fc.integer({ min: 1, max: 40 }), fc.boolean(), (seed, count, turned) => {
      const random = randomOf(seed);
      const graph = createEdgeStore().graph(graphOf(parallel(1, count, [A, B], random)));
      const slots = [...graph.spot.keys()].filter((slot) => graph.from[slot] === graph.nodeOf(turned ? B : A));
      const edges = slots.map((slot) => graph.edgeAt(slot));
      const bundle = new Bundle(graph, slots);
      const trade = new Float64Array(3);
      for (let n = 0; n < 20; n++) {
        const rate = bundle.spot * (1.01 - random() ** 2);
        bundle.tradeAt(Math.sqrt(rate), trade);
        const sells = edges.map(({ curve }) => curve.sellAmountAtRate(rate));
        const sell = sells.reduce((sum, one) => sum + one, 0);
        const buy = edges.reduce((sum, { curve }, i) => sum + curve.buyAmountFor(sells[i] as number), 0);
        const least = 1e-9 * bundle.depth;
        expect(Math.abs((trade[0] as number) - sell)).toBeLessThanOrEqual(1e-9 * sell + least * 1e-3);
        expect(Math.abs((trade[1] as number) - buy)).toBeLessThanOrEqual(1e-9 * buy + least * 1e-3);
      }
    });
    fc.assert(run, { numRuns: 100 });
  });
});

describe("a route through a crowd of pools", () => {
  const random = randomOf(7);
  const pools = [
    ...parallel(1, 150, [A, B], random),
    ...parallel(1_001, 150, [B, C], random),
    ...parallel(2_001, 150, [A, C], random),
  ];
  const sell = (units: bigint) => ({ kind: "exactIn", sellToken: A, buyToken: C, sellAmount: units * E18 }) as const;
  const ask = (more: Partial<RouteRequest> = {}) => {
    const request = {
      order: sell(1_000n),
      graph: graphOf(pools),
      allows: () => true,
      cost: FREE,
      budget: budgetOf(),
      ...more,
    };
    const result = createRouter().findBest(request);
    if (!result.found || result.certificate === undefined) throw new Error("no route");
    const { bound, achieved } = result.certificate;
    return { fills: fillsOf(result.route), achieved, bound, gap: Number(bound - achieved) / Number(achieved) };
  };

  it("is as good as its proof says where it may use them all", () => {
    const { fills, gap } = ask({ budget: budgetOf({ maxFills: 512 }) });
    expect(fills.length).toBeGreaterThan(128);
    expect(gap).toBeGreaterThanOrEqual(0);
    expect(gap).toBeLessThan(1e-5);
  });

  it.each([1, 2, 7, 40, 128])(
    "uses no more than %i of them where it may not, and loses little by little",
    (maxFills) => {
      const { fills, achieved, bound } = ask({ budget: budgetOf({ maxFills }) });
      expect(fills.length).toBeLessThanOrEqual(maxFills);
      expect(achieved).toBeLessThanOrEqual(bound);
      if (maxFills > 1)
        expect(achieved).toBeGreaterThan(ask({ budget: budgetOf({ maxFills: maxFills - 1 }) }).achieved);
    },
  );

  it.each([
    [4, 5_000n],
    [16, 20_000n],
    [128, 100_000n],
  ])("finds the pools that take all of a large amount where no more than %i may be used", (maxFills, amount) => {
    const { fills, achieved, bound } = ask({ budget: budgetOf({ maxFills }), order: sell(amount) });
    expect(fills.length).toBeLessThanOrEqual(maxFills);
    expect(achieved).toBeLessThanOrEqual(bound);
  });

  it("does without those that the request leaves out, and its proof does not count them", () => {
    const allows = ({ id }: Pool) => Number.parseInt(id.slice(-2), 16) % 2 === 0;
    const { fills, achieved, bound, gap } = ask({ allows, budget: budgetOf({ maxFills: 512 }) });
    expect(fills.every(({ poolId }) => Number.parseInt(poolId.slice(-2), 16) % 2 === 0)).toBe(true);
    expect(gap).toBeLessThan(1e-5);
    expect(achieved).toBeLessThanOrEqual(bound);
    expect(bound).toBeLessThan(ask({ budget: budgetOf({ maxFills: 512 }) }).achieved);
  });
});
