import { expect, test } from "vitest";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { isBetter } from "../../../src/routing/flow/goal.ts";
import { type Split, solveSplit } from "../../../src/routing/flow/solve-split.ts";
import type { Search } from "../../../src/routing/session/search.ts";
import { edgesOf, searchOf } from "../../support/trades/search.ts";

const [A, B] = [addressOf(1), addressOf(2)];

test("no purchase is better than another one that sells no more than a base unit either", () => {
  const pools = [pairOf(1, [A, B], [10n ** 6n, 10n ** 18n]), pairOf(2, [A, B], [10n ** 6n, 10n ** 18n])];
  const base = searchOf({ kind: "exactOut", sellToken: A, buyToken: B, buyAmount: 10n ** 9n }, pools);
  const over = (count: number, amount: number): Split => {
    const flow = solveSplit(base, edgesOf(base).slice(0, count), { side: "exactIn", amount }, new Map());
    if (flow === undefined) throw new Error("no flow");
    return flow;
  };
  const search: Search = { ...base, side: "exactOut", amount: 1e9, costPerGas: 0, maxFills: 128 };
  const [one, two] = [over(1, 1), over(2, 1)];
  expect(two.buyAmount).toBeGreaterThan(one.buyAmount);
  expect(isBetter(search, two, one)).toBe(false);
  expect(isBetter(search, one, two)).toBe(false);
  // Among flows that take more than that, the one that takes less is better.
  const dear: Search = { ...search, amount: 1e13 };
  expect(isBetter(dear, over(2, 10), over(1, 10))).toBe(true);
});
