import { describe, expect, it } from "vitest";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { FREE, graphOf } from "../../../fixtures/routing/request.ts";
import { createRouter } from "../../../src/routing/create-router.ts";
import { ask } from "../ask.ts";
import { Climb } from "./climb.ts";
import { Flow } from "./flow.ts";
import { Network, type PathFlow } from "./network.ts";

const UNIT = 10n ** 18n;
const [a, b, c, d] = [addressOf(1), addressOf(2), addressOf(3), addressOf(4)] as const;
/** Two pools between b and c disagree: each path from a to d earns by one of them, and both at once make a cycle. */
const pools = [
  pairOf(1, [a, b], [100n * UNIT, 100n * UNIT]),
  pairOf(2, [a, c], [100n * UNIT, 100n * UNIT]),
  pairOf(3, [b, c], [100n * UNIT, 110n * UNIT]),
  pairOf(4, [b, c], [110n * UNIT, 100n * UNIT]),
  pairOf(5, [b, d], [100n * UNIT, 100n * UNIT]),
  pairOf(6, [c, d], [100n * UNIT, 100n * UNIT]),
];
const network = new Network(pools);
const order = { kind: "exactIn", sellToken: a, buyToken: d, sellAmount: UNIT } as const;
const answer = ask(createRouter(), { graph: graphOf(pools), cost: FREE, order });
if (!answer.found) throw new Error("no route");
const { route } = answer;
const paths = network.pathsOf(route) ?? [];
const trade = {
  ...{ network, sell: network.numberOf(a), buy: network.numberOf(d), amount: Number(UNIT) },
  ...{ perGas: 0, prices: network.tokens.map(() => 1) },
};

/** Part by which flows under a relaxation pay more than the router's route. */
function gainOf(revisits: boolean, isOrdered: boolean): number {
  const most = new Climb(trade, { name: "", mostPools: 8, revisits, isOrdered }).from(paths);
  return (most ?? Number.NaN) / Number(route.buyAmount) - 1;
}

/** A flow over two paths that cross: one goes from b to c, the other from c to b. */
function crossing(first: number): Flow {
  const path = (ids: readonly number[], tokens: readonly number[]) =>
    ids.flatMap((id, i) => {
      const from = network.numberOf(addressOf(tokens[i] as number));
      return network.edgesFrom(from).filter(({ pool }) => pool === addressOf(id, "pool"));
    });
  const both: readonly PathFlow[] = [
    { path: path([1, 3, 6], [1, 2, 3]), amount: first },
    { path: path([2, 4, 5], [1, 3, 2]), amount: 2e18 },
  ];
  return Flow.over(both) as Flow;
}

describe("flows without an order of tokens", () => {
  it("pay as much as a route over its own paths", () => {
    expect((Flow.over(paths)?.bought ?? 0) / Number(route.buyAmount)).toBeCloseTo(1, 8);
  });

  it("are told from those that have one", () => {
    expect(Flow.over(paths)?.isAcyclic()).toBe(true);
    expect(crossing(1e18).isAcyclic()).toBe(false);
  });

  it("grow by their gradient", () => {
    const [less, more] = [crossing(1e18), crossing(1.0001e18)];
    expect((more.bought - less.bought) / 1e14 / (less.gradient()[0] as number)).toBeCloseTo(1, 3);
  });

  it("pay more over paths in any order than over one order, and more again over walks", () => {
    const [ordered, anyOrder, walks] = [gainOf(false, true), gainOf(false, false), gainOf(true, false)];
    expect(Math.abs(ordered)).toBeLessThan(1e-5);
    expect(anyOrder).toBeGreaterThan(1e-3);
    expect(walks).toBeGreaterThan(anyOrder + 1e-3);
  });
});
