import { expect, test } from "vitest";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import type { Goal } from "../../../src/routing/flow/goal.ts";
import { startingFlow } from "../../../src/routing/paths/starting-flow.ts";
import { climb } from "../../../src/routing/search/climb.ts";
import { Trail } from "../../../src/routing/search/trail.ts";
import { sessionOf } from "../../support/trades/session.ts";

const [A, B, C] = [addressOf(1), addressOf(2), addressOf(3)];

/** A search over a pool, one beside it and a way around both, and the path over the first. */
function searchOver() {
  const pools = [
    pairOf(1, [A, B], [10n ** 16n, 10n ** 16n]),
    pairOf(2, [A, B], [10n ** 16n, 98n * 10n ** 14n]),
    pairOf(3, [A, C], [10n ** 15n, 10n ** 15n]),
    pairOf(4, [C, B], [10n ** 15n, 99n * 10n ** 13n]),
  ];
  const session = sessionOf({ kind: "exactIn", sellToken: A, buyToken: B, sellAmount: 10n ** 14n }, pools);
  const goal: Goal = { kind: "sell", amount: 1e14, costPerGas: 0, maxFills: 128 };
  const path = startingFlow(session, goal);
  if (path === undefined) throw new Error("no path");
  return { session, goal, path };
}

test("a climb ends where another one has looked for ways", () => {
  const { session, goal, path } = searchOver();
  const trail = new Trail();
  const first = climb(session, goal, path, { trail });
  expect(first).not.toBe(path);
  const { steps } = session;
  expect(climb(session, goal, path, { trail })).toBe(path);
  expect(session.steps).toBe(steps);
});

test("edges are tried together once, in whatever order they come", () => {
  const { path } = searchOver();
  const { edges } = path.support;
  const others = searchOver().path.support.edges;
  const trail = new Trail();
  const attempts: unknown[] = [];
  const tried = (list: typeof edges) =>
    trail.outcomeOf(list, () => {
      attempts.push(list);
      return undefined;
    });
  tried([...edges, ...others]);
  tried([...others, ...edges]);
  expect(attempts).toHaveLength(1);
  // Edges of other curves are others, whatever pool they are of.
  tried(edges);
  tried(others);
  expect(attempts).toHaveLength(3);
});
