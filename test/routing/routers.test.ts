import { addressOf, pairOf } from "../../fixtures/routing/pools.ts";
import { budgetOf, FREE, graphOf } from "../../fixtures/routing/request.ts";
import { createRouter } from "../../src/routing/create-router.ts";
import { firstPoolRouter } from "../quoting/first-pool-router.ts";
import { describeRouter } from "./router.suite.ts";

describeRouter("of the service", createRouter, ["exactIn", "exactOut"]);
describeRouter("of the service, after another graph", () => {
  const router = createRouter();
  const [sellToken, buyToken] = [addressOf(1), addressOf(2)];
  const graph = graphOf([pairOf(1, [sellToken, buyToken], [10n ** 20n, 10n ** 21n])]);
  const order = { kind: "exactIn", sellToken, buyToken, sellAmount: 10n ** 18n } as const;
  router.findBest({ order, graph, allows: () => true, cost: FREE, budget: budgetOf() });
  return router;
}, ["exactIn", "exactOut"]);
describeRouter("of the tests of quoting", firstPoolRouter, ["exactIn"]);
