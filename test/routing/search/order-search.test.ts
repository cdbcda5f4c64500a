import { describe, expect, it } from "vitest";
import { solveFlow } from "../../../src/routing/flow/flow.ts";
import { netOf } from "../../../src/routing/flow/goal.ts";
import { connected } from "../../../src/routing/flow/support.ts";
import { startingFlow } from "../../../src/routing/paths/starting-flow.ts";
import { addColumns } from "../../../src/routing/search/add-columns.ts";
import { moved, OrderModel } from "../../../src/routing/search/order-model.ts";
import { reorder } from "../../../src/routing/search/order-search.ts";
import { MESSY_PURCHASE, MESSY_SALE, messyPools } from "../../support/trades/messy-pools.ts";
import { searchOf } from "../../support/trades/search.ts";

/** A search and what columns off its best path come to; undefined where there is no path. */
function climbed(order: typeof MESSY_SALE | typeof MESSY_PURCHASE, seed: number) {
  const search = searchOf(order, messyPools(seed));
  const path = startingFlow(search);
  return path && { search, flow: addColumns(search, path) };
}

it("leads to flows that columns do not find, and never to worse ones", () => {
  let better = 0;
  for (let seed = 0; seed < 40; seed++)
    for (const order of [MESSY_SALE, MESSY_PURCHASE]) {
      const { search, flow } = climbed(order, seed) ?? {};
      if (search === undefined || flow === undefined || flow.stuck > 0) continue;
      const [before, after] = [netOf(search, flow), netOf(search, reorder(search, flow))];
      expect(after, `seed ${seed}, ${order.kind}`).toBeGreaterThanOrEqual(before);
      if (after - before > 1e-3 * Math.abs(before)) better++;
    }
  expect(better).toBeGreaterThan(10);
});

describe("a move of one token", () => {
  it("adds no more than it promises", () => {
    let met = 0;
    for (let seed = 0; seed < 20; seed++) {
      const { search, flow } = climbed(MESSY_SALE, seed) ?? {};
      if (search === undefined || flow === undefined || flow.stuck > 0) continue;
      const model = new OrderModel(search, flow, flow.logPrices);
      const order = [...model.nodes.keys()];
      const solved = (tokens: readonly number[]) => {
        const edges = connected(search, model.edgesIn(tokens));
        return solveFlow(search, { edges }, { side: "exactIn", amount: search.amount }, flow.logPrices);
      };
      const { value, logPrices } = solved(order);
      for (const move of model.moves(search, order, logPrices)) {
        met++;
        expect(solved(moved(order, move)).value).toBeLessThanOrEqual((value + move.gain) * (1 + 1e-9));
      }
    }
    expect(met).toBeGreaterThan(20);
  });
});
