import { expect, it, test } from "vitest";
import { type Goal, netOf } from "../../src/routing/flow/goal.ts";
import { settle } from "../../src/routing/flow/settled.ts";
import { treeTouches } from "../../src/routing/flow/tree-touches.ts";
import { groupsOf } from "../../src/routing/search/edges-hanging.ts";
import { achievedWithout } from "../support/barred.ts";
import { mediumTrade } from "../support/medium-trade.ts";
import { edgesOf, sessionOf } from "../support/session.ts";
import { addressOf, pairOf } from "../support/universe.ts";

const [A, B, C] = [addressOf(1), addressOf(2), addressOf(3)];

/** A purchase by one pool and then two, which it serves one by one. */
function forked() {
  const pools = [
    pairOf(1, [A, C], [10n ** 24n, 10n ** 24n]),
    pairOf(2, [C, B], [10n ** 20n, 10n ** 20n]),
    pairOf(3, [C, B], [2n * 10n ** 20n, 2n * 10n ** 20n]),
  ];
  const session = sessionOf({ kind: "exactOut", sellToken: A, buyToken: B, buyAmount: 10n ** 18n }, pools);
  const goal: Goal = { kind: "buy", amount: 1e18, costPerGas: 1e9, maxFills: 128 };
  const flow = settle(session, edgesOf(session), goal, new Map());
  if (flow === undefined) throw new Error("no flow");
  const gasOf = (n: number) => flow.support.edges.find(({ pool }) => pool.id === addressOf(n, "pool"))?.gas as number;
  return { session, goal, flow, gasOf };
}

test("trees touch a pool again for each other one that it serves, and that costs its gas again", () => {
  const { session, goal, flow, gasOf } = forked();
  const touches = treeTouches(flow).map(({ position, above }) => ({
    pool: Number(flow.support.edges[position]?.pool.id.slice(-4)),
    above,
  }));
  expect(touches).toHaveLength(4);
  expect(touches.filter(({ above }) => above === undefined).map(({ pool }) => pool)).toEqual([3, 2]);
  expect(touches.filter(({ pool }) => pool === 1).map(({ above }) => above)).toEqual([0, 1]);
  const again = netOf(session, goal, flow) - netOf(session, { ...goal, inTrees: true }, flow);
  expect(again / (gasOf(1) * goal.costPerGas)).toBeCloseTo(1, 6);
});

test("a pool that is left out of trees saves the touches that make its input as well", () => {
  const { session, goal, flow, gasOf } = forked();
  const savedBy = (inTrees: boolean) =>
    groupsOf(session, { ...goal, inTrees }, flow, 1e9).find(({ edge }) => edge.pool.id === addressOf(2, "pool"));
  const more = (savedBy(true)?.saving as number) - (savedBy(false)?.saving as number);
  expect(more / (gasOf(1) * 1e9)).toBeCloseTo(1, 6);
});

/** Answers that a search which counted one touch of each pool found only where one of them was barred. */
it.each([49, 391, 634, 692, 741])(
  "no purchase costs less where one of its answer's pools is barred: seed %i",
  (seed) => {
    const { achieved, others } = achievedWithout(mediumTrade(seed, "exactOut"));
    expect(others.length).toBeGreaterThan(0);
    for (const other of others) expect(other).toBeGreaterThanOrEqual(achieved);
  },
);
