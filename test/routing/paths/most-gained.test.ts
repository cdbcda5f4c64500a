import { expect, test } from "vitest";
import { randomOf } from "../../../fixtures/random.ts";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { mostGained } from "../../../src/routing/paths/most-gained.ts";
import { searchOf } from "../../support/trades/search.ts";

const [A, B, C] = [addressOf(1), addressOf(2), addressOf(3)];

/** A search over pairs of like value, half of them off it by any factor up to a thousand. */
function outOfLine(seed: number) {
  const random = randomOf(seed);
  const pools = Array.from({ length: 30 }, (_, n) => {
    const depth = 10 ** (6 + 12 * random());
    const off = random() < 0.5 ? 10 ** (6 * random() - 3) : 1;
    const tokens = [[A, B] as const, [B, C] as const, [A, C] as const][n % 3] as readonly [typeof A, typeof B];
    return pairOf(n + 1, tokens, [BigInt(Math.ceil(depth)), BigInt(Math.ceil(depth * off))]);
  });
  return searchOf({ kind: "exactIn", sellToken: A, buyToken: B, sellAmount: 10n ** 12n }, pools);
}

test("what pools make of a value at most is the same whatever was asked before", () => {
  let gains = 0;
  for (let seed = 0; seed < 20; seed++) {
    const search = outOfLine(seed);
    const level = search.graph.rest[search.source] as number;
    for (const amount of [1e9, 1e12, 1e6, 1e10, 1e3, 0, 1e14, 1e6]) {
      const most = mostGained(search, amount * level);
      expect(most).toBe(mostGained(outOfLine(seed), amount * level));
      if (most > 1) gains++;
    }
  }
  expect(gains).toBeGreaterThan(50);
});

test("less than has been asked for before is asked of those pools alone that may make more of it", () => {
  const search = outOfLine(1);
  const value = 1e6 * (search.graph.rest[search.source] as number);
  const stepsFor = (one: number): number => {
    const before = search.work.steps;
    mostGained(search, one);
    return search.work.steps - before;
  };
  const first = stepsFor(value);
  expect(first).toBeGreaterThan(1);
  expect(stepsFor(value)).toBeLessThan(first);
});
