import { expect, it, test } from "vitest";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import type { Edge } from "../../../src/routing/edges/edges.ts";
import type { Goal } from "../../../src/routing/flow/goal.ts";
import { settle } from "../../../src/routing/flow/settled.ts";
import { withPoolsExchanged } from "../../../src/routing/search/exchange-pools.ts";
import { prune } from "../../../src/routing/search/prune.ts";
import { achievedWithout } from "../../support/trades/barred.ts";
import { mediumTrade } from "../../support/trades/medium-trade.ts";
import { edgesOf, sessionOf } from "../../support/trades/session.ts";

const [A, B, C] = [addressOf(1), addressOf(2), addressOf(3)];
const AMOUNT = 10n ** 18n;
const DEEP = [10n ** 24n, 10n ** 24n] as const;

/** A flow over the second and third of three pools, which are in line beside the first, where a touch costs a part of the trade. */
function besideOne(depth: bigint, touch: number) {
  const pools = [pairOf(1, [A, B], [depth, depth]), pairOf(2, [A, C], DEEP), pairOf(3, [C, B], DEEP)];
  const session = sessionOf({ kind: "exactIn", sellToken: A, buyToken: B, sellAmount: AMOUNT }, pools);
  const amount = Number(AMOUNT);
  const edges = edgesOf(session).filter(({ pool }) => pool.id !== addressOf(1, "pool"));
  const flow = settle(session, edges, { kind: "sell", amount }, new Map());
  if (flow === undefined) throw new Error("no flow");
  const costPerGas = (touch * amount) / (edges[0] as Edge).gas;
  const goal: Goal = { kind: "sell", amount, costPerGas, maxFills: 128 };
  return { session, goal, flow };
}

const numbersOf = (edges: readonly Edge[]) => edges.map(({ pool }) => Number(pool.id.slice(-4))).sort();

test("a pool takes the place of two in line that pay more, but not more than a touch costs", () => {
  const { session, goal, flow } = besideOne(10n ** 20n, 0.01);
  expect(prune(session, goal, flow)).toBe(flow);
  expect(numbersOf(withPoolsExchanged(session, goal, flow).support.edges)).toEqual([1]);
});

/** Sales, and what an answer was seen to pay after gas where a search before had paid 1,093, 9 and 17 basis points less. */
const SEEN: readonly (readonly [seed: number, pays: bigint])[] = [
  [160, 102055268410550062907n],
  [245, 2056752567366978185353n],
  [601, 528679346618262516828n],
];

it.each(SEEN)(
  "a sale pays what was seen, and no more where one of its answer's pools is barred: seed %i",
  (seed, pays) => {
    const { achieved, others } = achievedWithout(mediumTrade(seed, "exactIn"));
    expect(achieved).toBeGreaterThanOrEqual(pays);
    for (const other of others) expect(other).toBeLessThanOrEqual(achieved);
  },
);
