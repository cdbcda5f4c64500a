import { expect, test } from "vitest";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import type { Goal } from "../../../src/routing/flow/goal.ts";
import { settle } from "../../../src/routing/flow/settled.ts";
import { findColumns } from "../../../src/routing/paths/columns.ts";
import { climb } from "../../../src/routing/search/climb.ts";
import { reordered } from "../../../src/routing/search/reorder.ts";
import { WHOLE } from "../../../src/routing/search/stage.ts";
import { Trail } from "../../../src/routing/search/trail.ts";
import { edgesOf, sessionOf } from "../../support/trades/session.ts";

const [A, B, C, D] = [addressOf(1), addressOf(2), addressOf(3), addressOf(4)];
const UNIT = 10n ** 16n;
const POOLS = [
  pairOf(1, [A, C], [UNIT, UNIT]),
  pairOf(2, [D, B], [UNIT, UNIT]),
  // Stand off each other: C makes a twentieth more of D, and D a fifth more of C.
  pairOf(3, [C, D], [UNIT / 10n, (UNIT * 105n) / 1000n]),
  pairOf(4, [D, C], [UNIT / 10n, (UNIT * 120n) / 1000n]),
  pairOf(5, [A, D], [UNIT, UNIT]),
  pairOf(6, [C, B], [UNIT, UNIT]),
];
const goal: Goal = { kind: "sell", amount: 1e14, costPerGas: 0, maxFills: 128 };

/** A search and its flow that goes from C to D, and so takes none of the pool by which D makes more of C. */
function oneWay() {
  const session = sessionOf({ kind: "exactIn", sellToken: A, buyToken: B, sellAmount: 10n ** 14n }, POOLS);
  const [back] = edgesOf(session).filter(({ pool, from }) => pool === POOLS[3] && from === session.graph.nodeOf(D));
  const edges = edgesOf(session).filter(({ pool, from }) => {
    const at = pool === POOLS[2] ? C : pool === POOLS[3] ? undefined : pool.tokens[0];
    return at !== undefined && from === session.graph.nodeOf(at);
  });
  const flow = settle(session, edges, goal, new Map());
  if (flow === undefined || back === undefined) throw new Error("no flow");
  return { session, flow, back };
}

test("tokens come in another order where what leads back between them earns more than what it stands against", () => {
  const { session, flow, back } = oneWay();
  expect(climb(session, goal, flow).support.edges).not.toContain(back);
  const better = reordered(session, goal, flow, new Trail(), WHOLE);
  expect(better.support.edges).toContain(back);
  expect(better.buyAmount).toBeGreaterThan(1.01 * flow.buyAmount);
});

test("a flow that a climb has come by is not gone on from again", () => {
  const stepsWith = (passes: boolean): number => {
    const { session, flow } = oneWay();
    const trail = new Trail();
    const start = climb(session, goal, flow, { trail });
    const before = session.steps;
    // From there a way back leads to the flow that it began with.
    expect(reordered(session, goal, start, passes ? trail : new Trail(), WHOLE).buyAmount).toBeGreaterThan(
      1.01 * start.buyAmount,
    );
    return session.steps - before;
  };
  expect(stepsWith(true)).toBeLessThan(stepsWith(false));
});

test("ways back are those that close a cycle, and no others", () => {
  const { session, flow, back } = oneWay();
  const backwards = findColumns(session, flow, 5e12, 0, true);
  expect(backwards.map(({ edges }) => edges)).toEqual([[back]]);
  expect(findColumns(session, flow, 5e12).flatMap(({ edges }) => edges)).not.toContain(back);
});
