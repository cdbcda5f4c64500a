import { describe, expect, it } from "vitest";
import { budgetOf, graphOf } from "../../../fixtures/routing/request.ts";
import { USUAL_FEE } from "../../../fixtures/universes/built-in.ts";
import { costIn } from "../../../fixtures/universes/gas-cost.ts";
import { fantomUniverse } from "../../../fixtures/universes/priced.ts";
import type { SwapOrder } from "../../../src/domain/order.ts";
import { fillsOf, type Route } from "../../../src/domain/route.ts";
import { createRouter } from "../../../src/routing/create-router.ts";
import type { KnownRoute, WarmStart } from "../../../src/routing/router.ts";

/** Pools as they are on a chain: some stand off each other, so that a search ends near where it begins. */
const universe = fantomUniverse(USUAL_FEE, false);
const graph = graphOf(universe.pools, universe.time);
const { native, usdc, dai, btc } = universe.hubs;
const router = createRouter();

const knownOf = (route: Route): KnownRoute => ({
  ...{ sellAmount: route.sellAmount, buyAmount: route.buyAmount },
  uses: fillsOf(route),
});

function ask(order: SwapOrder, gwei: bigint, warm?: WarmStart, gone: ReadonlySet<string> = new Set()) {
  const spent: number[] = [];
  const result = router.findBest({
    ...{ order, graph, cost: costIn(universe, gwei * 10n ** 9n), ...(warm && { warm }) },
    allows: ({ id }) => !gone.has(id),
    budget: budgetOf({ spent: (steps) => spent.push(steps) }),
  });
  if (!result.found || result.certificate === undefined) throw new Error("no route");
  return {
    ...result,
    achieved: result.certificate.achieved,
    bound: result.certificate.bound,
    steps: spent[0] as number,
  };
}

const times = (order: SwapOrder, num: bigint, den: bigint): SwapOrder =>
  order.kind === "exactIn"
    ? { ...order, sellAmount: (order.sellAmount * num) / den }
    : { ...order, buyAmount: (order.buyAmount * num) / den };

/** By how much of the one an answer is worth more than another, as a part. */
const better = (order: SwapOrder, one: bigint, other: bigint) =>
  Number(order.kind === "exactIn" ? one - other : other - one) / Number(other);

const ORDERS: readonly SwapOrder[] = [
  { kind: "exactIn", sellToken: native, buyToken: usdc, sellAmount: 20_000n * 10n ** 18n },
  { kind: "exactIn", sellToken: dai, buyToken: btc, sellAmount: 700n * 10n ** 18n },
  { kind: "exactOut", sellToken: usdc, buyToken: native, buyAmount: 3_000n * 10n ** 18n },
  { kind: "exactOut", sellToken: btc, buyToken: dai, buyAmount: 40n * 10n ** 18n },
];

describe.each([0n, 100n])("a search that begins with routes that were found before, gas at %d gwei", (gwei) => {
  it("loses nothing of what they found, takes fewer steps, and proves as well", () => {
    const [cold, warm] = [{ steps: 0 }, { steps: 0 }];
    for (const order of ORDERS) {
      const first = ask(order, gwei);
      const again = ask(order, gwei, { routes: [knownOf(first.route)], explores: false });
      cold.steps += first.steps;
      warm.steps += again.steps;
      expect(better(order, again.achieved, first.achieved)).toBeGreaterThan(-1e-6);
      expect(better(order, again.bound, again.achieved)).toBeGreaterThanOrEqual(0);
      const explored = ask(order, gwei, { routes: [knownOf(again.route)], explores: true });
      expect(better(order, explored.achieved, again.achieved)).toBeGreaterThan(-1e-6);
      expect(explored.steps).toBeGreaterThan(again.steps);
    }
    expect(warm.steps).toBeLessThan(0.7 * cold.steps);
  });

  it("searches on its own where the amounts are far off, or the pools are gone", () => {
    for (const order of ORDERS) {
      const far = knownOf(ask(times(order, 1n, 50n), gwei).route);
      const { achieved, steps } = ask(order, gwei);
      const warm = ask(order, gwei, { routes: [far], explores: false });
      expect(better(order, warm.achieved, achieved)).toBeGreaterThan(-1e-6);
      const gone = new Set(far.uses.map(({ poolId }) => poolId));
      const [with_, without] = [
        ask(order, gwei, { routes: [far], explores: false }, gone),
        ask(order, gwei, undefined, gone),
      ];
      expect(with_.route).toEqual(without.route);
      expect(with_.steps).toBe(without.steps);
      expect(steps).toBeGreaterThan(0);
    }
  });

  it("gives the same route for the same routes", () => {
    for (const order of ORDERS) {
      const routes = [times(order, 1n, 3n), times(order, 2n, 1n)].map((other) => knownOf(ask(other, gwei).route));
      const first = ask(order, gwei, { routes, explores: false });
      expect(ask(order, gwei, { routes: routes.toReversed(), explores: false }).route).toEqual(first.route);
    }
  });
});
