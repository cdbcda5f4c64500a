import { expect, test } from "vitest";
import { withLevels } from "../../src/market/indicative.ts";
import { PoolSlots } from "../../src/market/pool-slots.ts";
import { createRates } from "../../src/market/rates.ts";
import type { Pool } from "../../src/pools/pool.ts";
import { pair, tokenAt } from "./pairs.ts";
import { describePoolGraph } from "./pool-graph.suite.ts";

function frozen(pools: readonly Pool[], time: bigint) {
  const slots = new PoolSlots();
  for (const [slot, pool] of pools.entries()) slots.put(slot, pool);
  return slots.freeze(time, []);
}

describePoolGraph("of slots", frozen);

describePoolGraph("with what makers offer", (pools, time) => {
  const graph = frozen(pools.slice(0, 20), time);
  const block = { number: 1n, hash: "0x01", parentHash: "0x00", timestamp: time } as const;
  const market = { chainId: 1, block, gasPrice: 1n, mostGas: 1n, sources: new Map(), tokens: new Set<never>() };
  return withLevels({ ...market, graph, rates: createRates(graph, tokenAt(0)), known: new Map() }, pools.slice(20))
    .graph;
});

test("slots that are filled out of order have their pools in order", () => {
  const slots = new PoolSlots();
  const at = (slot: number) => pair(`pool-${slot}`, tokenAt(1), tokenAt(2), 1n, 1n);
  for (const slot of [50, 3, 17]) slots.put(slot, at(slot));
  const graph = slots.freeze(1n, []);
  expect(graph.poolsOf(tokenAt(1))).toEqual([at(3), at(17), at(50)]);
  expect(graph.poolsBetween(tokenAt(2), tokenAt(1))).toEqual([at(3), at(17), at(50)]);
  expect([...slots.entries()].map(([slot]) => slot)).toEqual([3, 17, 50]);
});
