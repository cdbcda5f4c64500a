import { expect, test } from "vitest";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import type { Goal } from "../../../src/routing/flow/goal.ts";
import { settle } from "../../../src/routing/flow/settled.ts";
import { climb } from "../../../src/routing/search/climb.ts";
import { REST, stageOf } from "../../../src/routing/search/stage.ts";
import { edgesOf, sessionOf } from "../../support/trades/session.ts";

const [A, B] = [addressOf(1), addressOf(2)];
const UNIT = 10n ** 16n;
const [wide, second, dust] = [
  pairOf(1, [A, B], [UNIT, UNIT]),
  pairOf(2, [A, B], [UNIT / 2n, UNIT / 2n]),
  // Pays twice as much, for a tenth of a large parcel at most.
  pairOf(3, [A, B], [UNIT / 2_000n, UNIT / 1_000n]),
];
const goal: Goal = { kind: "sell", amount: 1e15, costPerGas: 0, maxFills: 128 };

test("where pools stand off each other, what is large joins a flow first, and dust joins what that comes to", () => {
  const session = sessionOf({ kind: "exactIn", sellToken: A, buyToken: B, sellAmount: 10n ** 15n }, [
    wide,
    second,
    dust,
  ]);
  const start = settle(
    session,
    edgesOf(session).filter(({ pool, from }) => pool === wide && from === session.graph.nodeOf(A)),
    goal,
    new Map(),
  );
  if (start === undefined) throw new Error("no flow");
  const over = (flow: typeof start) => flow.support.edges.map(({ pool }) => pool);
  const rough = climb(session, goal, start, { stage: stageOf(goal, { hopeless: true }) });
  expect(over(rough)).toEqual([wide, second]);
  expect(over(climb(session, goal, rough, { stage: REST }))).toEqual([wide, second, dust]);
  expect(over(climb(session, goal, start, { stage: stageOf(goal, { hopeless: false }) }))).toHaveLength(3);
});
