import { expect, test } from "vitest";
import { fillsOf } from "../../src/domain/route.ts";
import { curvedEdge } from "../../src/routing/edges/edges.ts";
import { type Branch, inWholeTouches } from "../../src/routing/plan/whole-touches.ts";
import { answerTo } from "../support/answer.ts";
import { addressOf, pairOf } from "../support/universe.ts";

const [A, B, C] = [addressOf(1), addressOf(2), addressOf(3)];
const DEEP = 10n ** 24n;

/** A touch of a pool of so many of the first token and as many times `rate` of the second one. */
function touchOf(n: number, held: bigint, rate: bigint, gives: number): Branch {
  const pool = pairOf(n, [A, B], [held, held * rate]);
  const direction = { sell: 0, buy: 1 };
  const edge = curvedEdge({ pool, direction, from: 0, to: 1, poolNumber: n }, 0n);
  return { pool, direction, edge, gives, inputs: [] };
}

test("touches take whole units, as many as before, and what these pay less or more is made by one that takes fine ones", () => {
  const coarse = [7.4, 2.4, 11.3].map((units, i) => touchOf(1 + i, 10n ** 7n, 10n ** 12n, units * 1e12));
  const fine = touchOf(9, DEEP, 1n, 1e13);
  const amount = [...coarse, fine].reduce((sum, { gives }) => sum + gives, 0);
  const whole = inWholeTouches([...coarse, fine], amount);
  const takes = whole.slice(0, 3).map(({ edge, gives }) => gives / ((edge?.spot ?? 0) - gives / (edge?.depth ?? 1)));
  // With the fee they took 21.16 together.
  expect(takes.map(Math.ceil)).toEqual([7, 2, 12]);
  for (const one of takes) expect(Math.ceil(one) - one).toBeLessThan(1e-3);
  expect(whole.reduce((sum, { gives }) => sum + gives, 0) / amount).toBeCloseTo(1, 12);
});

test("a purchase by way of a token with large units wastes none of them, however many trees want parts of one", () => {
  const middles = [4, 5, 6, 7, 8].map((n) => addressOf(n));
  const pools = [
    pairOf(1, [A, C], [DEEP, 10n ** 8n]),
    pairOf(2, [A, B], [10n ** 20n, 10n ** 16n * 9945n]),
    ...middles.flatMap((token, i) => [
      pairOf(10 + i, [C, token], [10n ** 6n, 10n ** 22n]),
      pairOf(20 + i, [token, B], [10n ** 22n, 10n ** 22n]),
    ]),
  ];
  const result = answerTo({ kind: "exactOut", sellToken: A, buyToken: B, buyAmount: 47n * 10n ** 16n }, pools);
  if (!result.found || result.certificate === undefined) throw new Error("refused");
  const { bound, achieved } = result.certificate;
  const units = fillsOf(result.route).filter(({ sellToken }) => sellToken === C);
  expect(units.length).toBeGreaterThan(1);
  // A unit is worth more than 200 basis points.
  expect(Number(achieved - bound) / Number(achieved)).toBeLessThan(1e-4);
});
