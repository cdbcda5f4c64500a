import fc from "fast-check";
import { expect, test } from "vitest";
import { fixedRateMath } from "../../../src/pools/fixed-rate/math.ts";

const state = { gas: 25_000n };

test("what goes in comes out, either way", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: (1n << 256n) - 1n }), fc.boolean(), (amount, forwards) => {
      const direction = forwards ? { sell: 0, buy: 1 } : { sell: 1, buy: 0 };
      const answer = { amount, gas: 25_000n, next: state };
      expect(fixedRateMath.quoteExactIn(state, direction, amount, 0n)).toEqual(answer);
      expect(fixedRateMath.quoteExactOut(state, direction, amount, 0n)).toEqual(answer);
    }),
    { seed: 5, numRuns: 100 },
  );
});

test("nothing, too much and unknown tokens are rejected", () => {
  const there = { sell: 0, buy: 1 };
  expect(fixedRateMath.quoteExactIn(state, there, 0n, 0n)).toEqual({ rejected: "TOO_SMALL" });
  expect(fixedRateMath.quoteExactIn(state, there, 1n << 256n, 0n)).toMatchObject({ rejected: "TOO_LARGE" });
  expect(fixedRateMath.quoteExactOut(state, { sell: 1, buy: 1 }, 1n, 0n)).toEqual({ rejected: "UNSUPPORTED" });
  expect(fixedRateMath.curve(state, { sell: 0, buy: 2 }, 0n)).toBeUndefined();
});

test("the float view is one to one without end", () => {
  const curve = fixedRateMath.curve(state, { sell: 1, buy: 0 }, 0n);
  expect(curve?.buyAmountFor(5)).toBe(5);
  expect(curve?.marginalRate(1e30)).toBe(1);
  expect(curve?.sellAmountAtRate(0.999)).toBe(Number.POSITIVE_INFINITY);
  expect(curve?.sellAmountAtRate(1.001)).toBe(0);
});
