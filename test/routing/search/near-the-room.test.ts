import { expect, it } from "vitest";
import { addressOf } from "../../../fixtures/routing/pools.ts";
import { budgetOf, FREE, graphOf } from "../../../fixtures/routing/request.ts";
import { oddTrade } from "../../../fixtures/universes/odd-pools.ts";
import type { SwapOrder } from "../../../src/domain/order.ts";
import { fillsOf } from "../../../src/domain/route.ts";
import { createRouter } from "../../../src/routing/create-router.ts";
import type { NetworkCost, PoolGraph } from "../../../src/routing/router.ts";

const [sellToken, buyToken] = [addressOf(1), addressOf(2)];
const router = createRouter();

function ask(graph: PoolGraph, order: SwapOrder, cost: NetworkCost) {
  return router.findBest({ order, graph, allows: () => true, cost, budget: budgetOf() });
}

/** The most that routes pay which use no pool twice, whatever they sell. */
function roomIn(graph: PoolGraph): bigint {
  const paid = [12n, 18n, 24n, 30n].map((digits) => {
    const result = ask(graph, { kind: "exactIn", sellToken, buyToken, sellAmount: 10n ** digits }, FREE);
    if (!result.found) return 0n;
    const pools = fillsOf(result.route).map(({ poolId }) => poolId);
    return new Set(pools).size === pools.length ? result.route.buyAmount : 0n;
  });
  return paid.reduce((most, each) => (each > most ? each : most));
}

// Seeds that were refused once what a flow lacks was not bought up, or once pools that were too full three times in all had to go.
const SEEDS = [50005, 50069, 50173, 50188, 50191, 50429, 50436, 50439, 50508, 51115, 51475, 51615];

it.each(SEEDS)("buys parts of all that there is room for, pools %i", (seed) => {
  const { pools, cost } = oddTrade(seed);
  const graph = graphOf(pools);
  const room = roomIn(graph);
  expect(room).toBeGreaterThan(1_000n);
  for (const part of [500n, 900n, 970n]) {
    const order = { kind: "exactOut", sellToken, buyToken, buyAmount: (room * part) / 1000n } as const;
    expect(ask(graph, order, cost).found, `${part} thousandths`).toBe(true);
  }
});
