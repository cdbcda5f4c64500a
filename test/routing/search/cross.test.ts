import { expect, test } from "vitest";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import type { Goal } from "../../../src/routing/flow/goal.ts";
import { settle } from "../../../src/routing/flow/settled.ts";
import { climb } from "../../../src/routing/search/climb.ts";
import { crossed } from "../../../src/routing/search/cross.ts";
import { WHOLE } from "../../../src/routing/search/stage.ts";
import { Trail } from "../../../src/routing/search/trail.ts";
import { edgesOf, sessionOf } from "../../support/trades/session.ts";

const [A, B] = [addressOf(1), addressOf(2)];
const [C, D, E, F] = [addressOf(3), addressOf(4), addressOf(5), addressOf(6)];
const UNIT = 10n ** 16n;

/** Pools over two tokens that stand off each other between them: the first makes more of the second, and that far more of the first. */
function roundabout(n: number, [first, second]: readonly [typeof A, typeof A], size: bigint) {
  return {
    ends: [
      pairOf(n, [A, first], [size, size]),
      pairOf(n + 1, [second, B], [size, size]),
      pairOf(n + 2, [A, second], [size, size]),
      pairOf(n + 3, [first, B], [size, size]),
    ],
    forth: pairOf(n + 4, [first, second], [size / 10n, (size * 105n) / 1000n]),
    back: pairOf(n + 5, [second, first], [size / 10n, (size * 120n) / 1000n]),
  };
}

const [large, small] = [roundabout(1, [C, D], UNIT), roundabout(11, [E, F], UNIT / 2n)];
const POOLS = [large, small].flatMap(({ ends, forth, back }) => [...ends, forth, back]);
const goal: Goal = { kind: "sell", amount: 1e14, costPerGas: 0, maxFills: 128 };

/** A search, and what climbs come to from flows that pass each of the two this way or that. */
function searchOver() {
  const session = sessionOf({ kind: "exactIn", sellToken: A, buyToken: B, sellAmount: 10n ** 14n }, POOLS);
  const trail = new Trail();
  const climbedOver = (...between: readonly Pool[]) => {
    const pools = [...large.ends, ...small.ends, ...between];
    // Each from the token that it is written from.
    const edges = edgesOf(session).filter(
      ({ pool, from }) => pools.includes(pool) && from === session.graph.nodeOf(pool.tokens[0] as typeof A),
    );
    const flow = settle(session, edges, goal, new Map());
    if (flow === undefined) throw new Error("no flow");
    return climb(session, goal, flow, { trail });
  };
  return { session, trail, climbedOver };
}

test("what each of two flows does better comes together, whatever order of tokens that takes", () => {
  const { session, trail, climbedOver } = searchOver();
  const other = climbedOver(large.forth, small.back);
  const best = climbedOver(large.back, small.forth);
  expect(other.buyAmount).toBeLessThan(0.999 * best.buyAmount);
  const both = crossed(session, goal, best, trail, WHOLE);
  const touched = both.support.edges.map(({ pool }) => pool);
  expect(touched).toContain(large.back);
  expect(touched).toContain(small.back);
  expect(both.buyAmount).toBeGreaterThan(1.001 * best.buyAmount);
});

test("a flow stays as it is where others have nothing that makes it better", () => {
  const { session, trail, climbedOver } = searchOver();
  climbedOver(large.forth, small.forth);
  const best = climbedOver(large.back, small.back);
  expect(crossed(session, goal, best, trail, WHOLE)).toBe(best);
});
