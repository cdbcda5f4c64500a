import { expect } from "vitest";

/** What prices prove of one seeded trade. Of purchases all three are negative: less is better for the taker. */
export interface Proofs {
  readonly seed: number;
  /** The best that is known to be possible. */
  readonly best: number;
  /** What is proven without what the test is about, and with it. */
  readonly before: number;
  readonly proven: number;
}

/**
 * Of the trades of `count` seeds most are told something about, no proof is below what is possible, and a tenth leave less
 * than is left without by more than `part` of it.
 */
export function expectTighter(count: number, part: number, proofsOf: (seed: number) => Proofs | undefined): void {
  const told = Array.from({ length: count }, (_, seed) => proofsOf(seed)).filter((one) => one !== undefined);
  expect(told.length).toBeGreaterThan(count / 2);
  expect(told.filter(({ best, proven }) => best > proven).map(({ seed }) => seed)).toEqual([]);
  const tighter = told.filter(({ best, before, proven }) => before - proven > part * (before - best));
  expect(tighter.length).toBeGreaterThan(count / 10);
}
