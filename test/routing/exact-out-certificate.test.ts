import { expect, test } from "vitest";
import type { Address } from "../../src/domain/address.ts";
import { createRouter } from "../../src/routing/create-router.ts";
import type { NetworkCost } from "../../src/routing/router.ts";
import { smallUniverse } from "../support/small-universe.ts";
import { budgetOf, graphOf, randomOf } from "../support/universe.ts";

const COUNT = process.env.TRIBUTARY_LONG === "1" ? 2500 : 200;
/** Gas as a part of the worth of the pools' mean side: from next to nothing to more than most trades are worth. */
const GAS_COSTS = [0, 1e-7, 1e-5, 1e-3];

/** What is sold for an amount in a seeded small universe, and the least that the certificate says it takes. */
function purchaseIn(seed: number): { readonly bound: bigint; readonly achieved: bigint } | undefined {
  const { pools, tokens, worth, depth } = smallUniverse(seed);
  const random = randomOf(seed + 2_000_000);
  const [sellToken, buyToken] = [tokens[0] as Address, tokens[2] as Address];
  const value = depth * 10 ** (-4 + 4 * random());
  const buyAmount = BigInt(Math.max(1, Math.round(value / (worth.get(buyToken) as number))));
  const perGas = ((GAS_COSTS[seed % GAS_COSTS.length] as number) * depth) / 1e6;
  const cost: NetworkCost = {
    gasPrice: 1n,
    rate: (token) => ({ num: BigInt(Math.round((perGas / (worth.get(token) as number)) * 1e18)), den: 10n ** 18n }),
  };
  const order = { kind: "exactOut", sellToken, buyToken, buyAmount } as const;
  const result = createRouter().findBest({
    order,
    graph: graphOf(pools),
    allows: () => true,
    cost,
    budget: budgetOf(),
  });
  return result.found ? result.certificate : undefined;
}

test("an amount to buy never costs less than its certificate says, gas paid in the sold token included", () => {
  const outcomes = Array.from({ length: COUNT }, (_, seed) => ({ seed, outcome: purchaseIn(seed) })).flatMap(
    ({ seed, outcome }) => (outcome === undefined ? [] : [{ seed, ...outcome }]),
  );
  expect(outcomes.length).toBeGreaterThan(COUNT / 2);
  expect(outcomes.filter(({ bound, achieved }) => bound > achieved).map(({ seed }) => seed)).toEqual([]);
});
