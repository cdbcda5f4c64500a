import { expect, test } from "vitest";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { type Goal, isBetter } from "../../../src/routing/flow/goal.ts";
import { type Settled, settle } from "../../../src/routing/flow/settled.ts";
import { edgesOf, sessionOf } from "../../support/trades/session.ts";

const [A, B] = [addressOf(1), addressOf(2)];

test("no purchase is better than another one that sells no more than a base unit either", () => {
  const pools = [pairOf(1, [A, B], [10n ** 6n, 10n ** 18n]), pairOf(2, [A, B], [10n ** 6n, 10n ** 18n])];
  const session = sessionOf({ kind: "exactOut", sellToken: A, buyToken: B, buyAmount: 10n ** 9n }, pools);
  const over = (count: number, amount: number): Settled => {
    const flow = settle(session, edgesOf(session).slice(0, count), { kind: "sell", amount }, new Map());
    if (flow === undefined) throw new Error("no flow");
    return flow;
  };
  const goal: Goal = { kind: "buy", amount: 1e9, costPerGas: 0, maxFills: 128 };
  const [one, two] = [over(1, 1), over(2, 1)];
  expect(two.buyAmount).toBeGreaterThan(one.buyAmount);
  expect(isBetter(session, goal, two, one)).toBe(false);
  expect(isBetter(session, goal, one, two)).toBe(false);
  // Of what takes more than that, the one that takes less is.
  const dear: Goal = { ...goal, amount: 1e13 };
  expect(isBetter(session, dear, over(2, 10), over(1, 10))).toBe(true);
});
