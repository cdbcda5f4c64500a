import fc from "fast-check";
import { expect, it } from "vitest";
import { type Label, NO_LABELS, withLabel } from "../../../src/routing/bound/path-labels.ts";

const labels = fc.array(
  fc.record({ rate: fc.integer({ min: 1, max: 3 }), cost: fc.integer({ min: 0, max: 2 }), next: fc.nat(3) }),
  { maxLength: 10 },
);

/** The largest amount that labels are compared for. */
const LARGEST = 10;

/** Highest net output of an amount over labels that do not lead to a node. */
function most(all: readonly Label[], amount: number, without: number): number {
  const usable = all.filter(({ next }) => next !== without);
  return Math.max(...usable.map(({ rate, cost }) => rate * amount - cost));
}

it("a label is left out only where others make as much of every amount, whichever node they may not lead to", () => {
  let left = 0;
  fc.assert(
    fc.property(labels, (all) => {
      const kept = all.reduce(
        (before: readonly Label[], label) => withLabel(before, label, (rate, than) => LARGEST * (rate - than)),
        NO_LABELS,
      );
      left += all.length - kept.length;
      for (const amount of [0.1, 1, LARGEST])
        for (const without of [0, 1, 2, 3, 4]) expect(most(kept, amount, without)).toBe(most(all, amount, without));
    }),
  );
  expect(left).toBeGreaterThan(100);
});
