import fc from "fast-check";
import { expect, test } from "vitest";
import { sumOfLargest } from "../../../src/routing/bound/largest.ts";

const values = fc.array(fc.integer({ min: -5, max: 20 }), { minLength: 1, maxLength: 40 });

test("the largest of some values are those that come first when all are sorted", () => {
  fc.assert(
    fc.property(values, fc.nat(39), (all, behind) => {
      const count = Math.min(all.length, behind + 1);
      const sum = [...all]
        .sort((a, b) => b - a)
        .slice(0, count)
        .reduce((total, value) => total + value, 0);
      expect(sumOfLargest(Float64Array.from(all), count)).toBe(sum);
    }),
    { seed: 31, numRuns: 500 },
  );
});
