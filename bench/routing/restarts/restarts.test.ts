import { describe, expect, it } from "vitest";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { FREE, graphOf } from "../../../fixtures/routing/request.ts";
import { createRouter } from "../../../src/routing/create-router.ts";
import type { RouteResult, Router } from "../../../src/routing/router.ts";
import { GreedySearch } from "../../peers/routers/greedy-search.ts";
import { carryOut, planOfPaths } from "./plan.ts";
import { Restarts } from "./restarts.ts";

const UNIT = 10n ** 18n;
const [a, b, c] = [addressOf(1), addressOf(2), addressOf(3)] as const;
const pools = [
  pairOf(1, [a, c], [100n * UNIT, 100n * UNIT]),
  pairOf(2, [a, c], [50n * UNIT, 50n * UNIT]),
  pairOf(3, [a, b], [80n * UNIT, 80n * UNIT]),
  pairOf(4, [b, c], [80n * UNIT, 80n * UNIT]),
];
const graph = graphOf(pools);
const sale = { kind: "exactIn", sellToken: a, buyToken: c, sellAmount: 20n * UNIT } as const;
const purchase = { kind: "exactOut", sellToken: a, buyToken: c, buyAmount: 15n * UNIT } as const;
const LIMITS = { time: graph.time, maxFills: 128 };
const restarts = new Restarts(graph, { chunks: [100], maxFills: LIMITS.maxFills });

/** Answers the same whatever it is asked. */
function always(result: RouteResult): Router {
  return { findBest: () => result };
}

/** Answer of the product's router over some of the pools. */
function over(order: typeof sale | typeof purchase, ids: readonly number[]): RouteResult {
  const few = graphOf(ids.map((id) => pools[id - 1] as (typeof pools)[number]));
  const budget = { maxHops: 4, maxFills: 128, maxSteps: 1_000_000, expired: () => false };
  return createRouter().findBest({ order, graph: few, allows: () => true, cost: FREE, budget });
}

describe("a plan of paths", () => {
  const plan = new GreedySearch({ pools, time: graph.time }).fill(sale, 100);

  it("sells over every pool that a greedy fill takes", () => {
    const uses = planOfPaths(plan ?? [], "exactIn", graph);
    const carried = carryOut(uses ?? [], sale, FREE, LIMITS);
    expect(carried?.route.fills).toHaveLength(4);
    const best = over(sale, [1, 2, 3, 4]);
    expect(best.found && Number(carried?.net) / Number(best.route.buyAmount)).toBeCloseTo(1, 4);
  });

  it("buys the exact amount over the same pools", () => {
    const uses = planOfPaths(plan ?? [], "exactOut", graph);
    const carried = carryOut(uses ?? [], purchase, FREE, LIMITS);
    expect(carried?.route.buyAmount).toBe(purchase.buyAmount);
    const best = over(purchase, [1, 2, 3, 4]);
    expect(best.found && -Number(carried?.net) / Number(best.route.sellAmount)).toBeCloseTo(1, 2);
  });

  it("is none with more pools than a route may have", () => {
    const uses = planOfPaths(plan ?? [], "exactIn", graph);
    expect(carryOut(uses ?? [], sale, FREE, { ...LIMITS, maxFills: 3 })).toBeUndefined();
  });
});

describe("regret", () => {
  const regretOf = (order: typeof sale | typeof purchase, answer: RouteResult, router = always(answer)) =>
    restarts.regretOf({ router, graph, order, cost: FREE }, answer);

  it("is what a greedy fill pays more than one pool, for sales and purchases", () => {
    for (const order of [sale, purchase]) {
      const [poor, best] = [over(order, [2]), over(order, [1, 2, 3, 4])];
      if (!poor.found || !best.found) throw new Error("no route");
      const regret = regretOf(order, poor);
      expect(regret?.by).toBe("greedy");
      const [own, most] = [poor.route, best.route].map(({ sellAmount, buyAmount }) =>
        Number(order.kind === "exactIn" ? buyAmount : -sellAmount),
      ) as [number, number];
      expect(regret?.bps).toBeCloseTo((1e4 * (most - own)) / Math.abs(own), -1);
    }
  });

  it("is next to nothing for the best route", () => {
    for (const order of [sale, purchase]) {
      const best = over(order, [1, 2, 3, 4]);
      expect(regretOf(order, best, createRouter())?.bps).toBeLessThan(0.01);
    }
  });

  it("tells where a restart pays more than was proven possible", () => {
    for (const order of [sale, purchase]) {
      const poor = over(order, [2]);
      if (!poor.found) throw new Error("no route");
      expect(regretOf(order, poor)?.beatsBound).toBe(true);
      const bound = order.kind === "exactIn" ? 10n * order.sellAmount : 1n;
      const proven = { ...poor, certificate: { achieved: 0n, bound } };
      expect(regretOf(order, proven)?.beatsBound).toBe(false);
    }
  });

  it("is endless where only a restart has a route", () => {
    const none: RouteResult = { found: false, reason: { kind: "NO_PATH" } };
    expect(regretOf(sale, none)?.bps).toBe(Number.POSITIVE_INFINITY);
    expect(regretOf({ ...sale, buyToken: addressOf(9) } as typeof sale, none)).toBeUndefined();
  });

  it("begins at a scaled route where the router takes one", () => {
    const [poor, best] = [over(sale, [2]), over(sale, [1, 2, 3, 4])];
    const router = { takesStart: true as const, findBest: (request: object) => ("start" in request ? best : poor) };
    expect(regretOf(sale, poor, router)?.by).toBe("scaled, improved");
  });
});
