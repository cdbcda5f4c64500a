/** Our own router, asked as the others are: over the pools that it is sent, one request after another. */

import { budgetOf, graphOf } from "../../../fixtures/routing/request.ts";
import { costIn } from "../../../fixtures/universes/gas-cost.ts";
import { createRouter } from "../../../src/routing/create-router.ts";
import type { RouteResult } from "../../../src/routing/router.ts";
import { MAX_HOPS, MAX_POOLS } from "../meeting/replay.ts";
import { type Spent, serve, timed } from "./serve.ts";

export interface TributaryAnswer {
  readonly result: RouteResult;
  readonly spent: Spent;
}

serve<TributaryAnswer>((universe) => {
  const graph = graphOf(universe.pools, universe.time);
  const router = createRouter();
  return async ({ sellToken, buyToken, sellAmount, gasPrice }) => {
    const { result, error, spent } = await timed(() =>
      router.findBest({
        order: { kind: "exactIn", sellToken, buyToken, sellAmount },
        graph,
        allows: () => true,
        cost: costIn(universe, gasPrice),
        budget: budgetOf({ maxHops: MAX_HOPS, maxFills: MAX_POOLS }),
      }),
    );
    if (result === undefined) throw error;
    return { result, spent };
  };
});
