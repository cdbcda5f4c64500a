import { expect, test } from "vitest";
import { answerTo } from "../../../fixtures/routing/answer.ts";
import { smallTrade } from "../../support/trades/small-trade.ts";

const COUNT = process.env.TRIBUTARY_LONG === "1" ? 2500 : 200;

/** Amount sold in a seeded small universe for an exact output, and the certificate's lower bound of it. */
function purchaseIn(seed: number): { readonly bound: bigint; readonly achieved: bigint } | undefined {
  const { pools, order, cost } = smallTrade(seed, "exactOut");
  const result = answerTo(order, pools, cost);
  return result.found ? result.certificate : undefined;
}

test("an amount to buy never costs less than its certificate says, gas paid in the sold token included", () => {
  const outcomes = Array.from({ length: COUNT }, (_, seed) => ({ seed, outcome: purchaseIn(seed) })).flatMap(
    ({ seed, outcome }) => (outcome === undefined ? [] : [{ seed, ...outcome }]),
  );
  expect(outcomes.length).toBeGreaterThan(COUNT / 2);
  expect(outcomes.filter(({ bound, achieved }) => bound > achieved).map(({ seed }) => seed)).toEqual([]);
});
