import { describe, expect, it } from "vitest";
import { addressOf, pairOf } from "../../fixtures/routing/pools.ts";
import { budgetOf, costAt, graphOf } from "../../fixtures/routing/request.ts";
import { createRouter } from "../../src/routing/create-router.ts";
import { costPerGas } from "../../src/routing/network-cost.ts";

const [A, B] = [addressOf(1), addressOf(2)];
const E18 = 10n ** 18n;

describe("a rate that is the product of many pools' prices", () => {
  // Both parts are above what a float can be; what they are a fraction of is not.
  const many = 7n ** 1_000n;
  const longCost = costAt(10n ** 9n, () => ({ num: 5n * many, den: 2n * many }));
  const shortCost = costAt(10n ** 9n, () => ({ num: 5n, den: 2n }));

  it("is the float of its value, however many digits its parts have", () => {
    expect(costPerGas(longCost, B)).toBe(costPerGas(shortCost, B));
    expect(
      costPerGas(
        costAt(1n, () => ({ num: 1n, den: many })),
        B,
      ),
    ).toBe(0);
  });

  it.each([
    { kind: "exactIn", sellToken: A, buyToken: B, sellAmount: E18 },
    { kind: "exactOut", sellToken: A, buyToken: B, buyAmount: E18 },
  ] as const)("values gas in a search: $kind", (order) => {
    const graph = graphOf([pairOf(1, [A, B], [1000n * E18, 1000n * E18]), pairOf(2, [A, B], [10n * E18, 10n * E18])]);
    const find = (cost: typeof longCost) =>
      createRouter().findBest({ order, graph, allows: () => true, cost, budget: budgetOf() });
    expect(find(longCost)).toEqual(find(shortCost));
  });
});
