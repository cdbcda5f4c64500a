import fc from "fast-check";
import { expect, test } from "vitest";
import { leastOfLargest, sumOfLargest } from "../../../src/routing/bound/largest.ts";

const values = fc.array(fc.integer({ min: -5, max: 20 }), { minLength: 1, maxLength: 40 });

test("the largest of some values are those that come first when all are sorted", () => {
  fc.assert(
    fc.property(values, fc.nat(39), fc.nat(39), (all, first, behind) => {
      const length = Math.min(all.length, first + 1);
      const count = Math.min(length, behind + 1);
      const sorted = (among: readonly number[]) => [...among].sort((a, b) => b - a);
      expect(leastOfLargest(Float64Array.from(all), count, length)).toBe(sorted(all.slice(0, length))[count - 1]);
      const sum = sorted(all)
        .slice(0, count)
        .reduce((total, value) => total + value, 0);
      expect(sumOfLargest(Float64Array.from(all), count)).toBe(sum);
    }),
    { seed: 31, numRuns: 500 },
  );
});
