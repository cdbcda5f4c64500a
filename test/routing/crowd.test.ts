import { expect, test } from "vitest";
import { fillsOf } from "../../src/domain/route.ts";
import type { Pool } from "../../src/pools/pool.ts";
import { answerTo } from "../support/answer.ts";
import { addressOf, FREE, pairOf, randomOf } from "../support/universe.ts";

const E18 = 10n ** 18n;
const TOKENS = [1, 2, 3, 4, 5].map((n) => addressOf(n));
const POOLS_OF_A_PAIR = 6;
const UNIVERSES = 30;
const MOST_FILLS = 12;

/** Six pools of each pair of five tokens, at about one to one, the largest a thousand times the smallest. */
function poolsOf(seed: number): Pool[] {
  const random = randomOf(seed);
  const pairs = TOKENS.flatMap((one, i) => TOKENS.slice(i + 1).map((other) => [one, other] as const));
  return pairs.flatMap((pair, i) =>
    Array.from({ length: POOLS_OF_A_PAIR }, (_, k) => {
      const size = (BigInt(Math.floor(1e6 * 10 ** (3 * random()))) * E18) / 1_000_000n;
      const other = (size * BigInt(9_980 + Math.floor(40 * random()))) / 10_000n;
      return pairOf(1 + i * POOLS_OF_A_PAIR + k, pair, [size, other]);
    }),
  );
}

/** What the bound leaves open above the answer, in basis points. */
function gapOf(seed: number): number {
  const [sellToken, buyToken] = [addressOf(1), addressOf(5)];
  const order = { kind: "exactIn", sellToken, buyToken, sellAmount: 2_000n * E18 } as const;
  const result = answerTo(order, poolsOf(seed), FREE, { maxFills: MOST_FILLS });
  if (!result.found || result.certificate === undefined) throw new Error(`no route in universe ${seed}`);
  expect(fillsOf(result.route).length).toBeLessThanOrEqual(MOST_FILLS);
  const { bound, achieved } = result.certificate;
  return (Number(bound - achieved) / Number(achieved)) * 1e4;
}

test("a trade that wants far more pools than it may touch comes close to what the limit allows", () => {
  const gaps = Array.from({ length: UNIVERSES }, (_, seed) => gapOf(seed)).sort((a, b) => a - b);
  // Without a charge for touches half of these leave more than 200 bp open.
  expect(gaps[UNIVERSES / 2]).toBeLessThan(60);
  expect(gaps[UNIVERSES - 4]).toBeLessThan(250);
});
