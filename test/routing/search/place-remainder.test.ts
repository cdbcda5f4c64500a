import { expect, test } from "vitest";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import type { Edge } from "../../../src/routing/edges/edges.ts";
import { solveSplit } from "../../../src/routing/flow/solve-split.ts";
import { bestPath } from "../../../src/routing/paths/best-path.ts";
import { pathDirectionOf } from "../../../src/routing/paths/path-direction.ts";
import { placeRemainder } from "../../../src/routing/search/place-all.ts";
import { edgesOf, searchOf } from "../../support/trades/search.ts";

const [A, B] = [addressOf(1), addressOf(2)];
const ROOM = 10n ** 20n;
const pools = Array.from({ length: 40 }, (_, n) =>
  pairOf(n, [A, B], [2n ** 112n - 1n - ROOM, 2n ** 112n - BigInt(n) * 10n ** 30n]),
);

/** A sale of so much, of which one pool alone takes its part so far. */
function started(sellAmount: bigint) {
  const search = searchOf({ kind: "exactIn", sellToken: A, buyToken: B, sellAmount }, pools);
  const [edge] = edgesOf(search);
  const flow = solveSplit(search, [edge as Edge], { side: "exactIn", amount: Number(sellAmount) }, new Map());
  if (flow === undefined) throw new Error("no flow");
  return { search, flow };
}

test("what one pool does not take is sold to others as long as these take all of it", () => {
  const { search, flow } = started(39n * ROOM);
  expect(flow.stuck).toBeGreaterThan(0);
  const filled = placeRemainder(search, flow);
  expect(filled.stuck).toBe(0);
  expect(filled.support.edges.length).toBeGreaterThan(38);
});

test("a sale of more than all pools of its token take is given up without a look for paths", () => {
  const { search, flow } = started(41n * ROOM);
  const { steps } = search.work;
  expect(placeRemainder(search, flow)).toBe(flow);
  expect(search.work.steps).toBe(steps);
});

test("a search for a path counts the pools that it looks at as steps", () => {
  const { search } = started(ROOM);
  const { steps } = search.work;
  bestPath(search, pathDirectionOf(search, "exactIn"), Number(ROOM), 0);
  expect(search.work.steps - steps).toBeGreaterThanOrEqual(pools.length);
});
