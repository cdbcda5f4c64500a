import { expect, test } from "vitest";
import { answerTo } from "../../../fixtures/routing/answer.ts";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { costAt, FREE } from "../../../fixtures/routing/request.ts";
import { shortage } from "../../../src/routing/bound/relax.ts";
import { startingFlow } from "../../../src/routing/paths/starting-flow.ts";
import type { Search } from "../../../src/routing/session/search.ts";
import { searchOf } from "../../support/trades/search.ts";

const [A, B, C, D] = [addressOf(1), addressOf(2), addressOf(3), addressOf(4)];
const E18 = 10n ** 18n;

/** Any sale brings no more than 100 C and 100 D: some 90 B for each of them, 181 together. */
const pools = [
  pairOf(1, [A, C], [10n * E18, 100n * E18], 0n),
  pairOf(2, [A, D], [1000n * E18, 100n * E18], 0n),
  pairOf(3, [C, B], [1000n * E18, 1000n * E18], 0n),
  pairOf(4, [D, B], [1000n * E18, 1000n * E18], 0n),
];

function isShort(buyAmount: bigint): boolean {
  const base = searchOf({ kind: "exactOut", sellToken: A, buyToken: B, buyAmount }, pools);
  const search: Search = { ...base, side: "exactOut", amount: Number(buyAmount), costPerGas: 0, maxFills: 128 };
  const first = startingFlow(search);
  if (first === undefined) throw new Error("no path");
  return shortage(search, first) !== undefined;
}

test("prices prove that an amount is more than all that the sold token brings, though pools hold it", () => {
  expect(isShort(185n * E18)).toBe(true);
  expect(isShort(182n * E18)).toBe(true);
});

test("what takes all paths together, and far more than a part of it, is not taken for a shortage", () => {
  for (const amount of [100n, 150n, 180n]) {
    expect(isShort(amount * E18)).toBe(false);
    expect(answerTo({ kind: "exactOut", sellToken: A, buyToken: B, buyAmount: amount * E18 }, pools).found).toBe(true);
  }
});

test("where it is proven that no route pays an amount nothing is looked for that gas might change", () => {
  const looksFor = (cost: typeof FREE): number => {
    let looks = 0;
    const expired = () => {
      looks++;
      return false;
    };
    const answer = answerTo({ kind: "exactOut", sellToken: A, buyToken: B, buyAmount: 185n * E18 }, pools, cost, {
      expired,
    });
    expect(answer).toMatchObject({ found: false, reason: { kind: "NOT_ENOUGH_LIQUIDITY" } });
    return looks;
  };
  expect(looksFor(costAt(10n ** 11n, () => ({ num: 1n, den: 1n })))).toBe(looksFor(FREE));
});
