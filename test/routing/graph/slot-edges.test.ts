import { expect, it } from "vitest";
import { addressOf, concentratedOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { graphOf } from "../../../fixtures/routing/request.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import type { Edge } from "../../../src/routing/edges/edges.ts";
import type { FlatGraph } from "../../../src/routing/edges/flat-graph.ts";
import { createEdgeStore } from "../../../src/routing/graph/edge-store.ts";
import { edgesIn } from "../../support/trades/search.ts";

const [A, B, C] = [addressOf(1), addressOf(2), addressOf(3)];
const DEEP = 10n ** 24n;
const pools: readonly Pool[] = [
  pairOf(1, [A, B], [DEEP, 2n * DEEP]),
  pairOf(2, [B, C], [DEEP, DEEP]),
  concentratedOf(3, [A, C], 0, DEEP),
];
/** A pool of Solidly's kind that writes down its price with the first trade behind a second. */
const quiet: Pool = {
  ...{ id: addressOf(4, "pool"), source: "Velodrome_V2", tokens: [A, B], curve: "solidly" },
  state: {
    ...{ stable: false, reserves: [DEEP, DEEP], units: [10n ** 18n, 10n ** 18n], feeBps: 30n, paused: false },
    lastObservation: 1_700_000_000n,
  },
};
const traded = pairOf(1, [A, B], [2n * DEEP, DEEP]);

/** The edges of a graph by their pools and what they sell. */
function edgesByName(graph: FlatGraph): ReadonlyMap<string, Edge> {
  return new Map(edgesIn(graph).map((edge) => [`${edge.pool.id} ${edge.direction.sell}`, edge]));
}

it("keeps curves that were made for as long as their pools stay as they are, wherever their slots come to lie", () => {
  const store = createEdgeStore();
  const curvesOf = (all: readonly Pool[]) =>
    new Map([...edgesByName(store.graph(graphOf(all)))].map(([name, { pool, curve }]) => [name, { pool, curve }]));
  const first = curvesOf(pools);
  const later = curvesOf([traded, ...pools.slice(1)]);
  const last = curvesOf([traded, ...pools.slice(1), pairOf(0, [A, B], [DEEP, DEEP])]);
  expect([first.size, later.size, last.size]).toEqual([6, 6, 8]);
  for (const [name, { pool, curve }] of first) {
    const isTraded = pool.id === traded.id;
    expect(later.get(name)?.curve === curve).toBe(!isTraded);
    expect(last.get(name)?.curve).toBe(later.get(name)?.curve);
  }
});

it("makes edges anew of what pools have become, as from nothing", () => {
  const store = createEdgeStore();
  edgesIn(store.graph(graphOf(pools)));
  const now = [traded, ...pools.slice(1)];
  const followed = edgesByName(store.graph(graphOf(now)));
  const anew = edgesByName(createEdgeStore().graph(graphOf(now)));
  for (const [name, { pool, spot, depth, deepest, width, gas, curve }] of followed) {
    const other = anew.get(name) as Edge;
    expect(now).toContain(pool);
    expect([spot, depth, deepest, width, gas]).toEqual([
      other.spot,
      other.depth,
      other.deepest,
      other.width,
      other.gas,
    ]);
    expect(curve.buyAmountFor(1e20)).toBe(other.curve.buyAmountFor(1e20));
  }
});

it("makes edges anew when time alone changes what gas they cost, and no sooner", () => {
  const store = createEdgeStore();
  const edgesAt = (time: bigint) => edgesByName(store.graph({ ...graphOf([...pools, quiet]), time }));
  const [first, before, after, later] = [1_700_000_001n, 1_700_001_800n, 1_700_001_801n, 1_700_009_000n].map(edgesAt);
  for (const [name, edge] of first!) {
    expect(before!.get(name)).toBe(edge);
    expect(after!.get(name) === edge).toBe(edge.pool.id !== quiet.id);
    expect(later!.get(name)).toBe(after!.get(name));
    expect(after!.get(name)!.gas - edge.gas).toBe(edge.pool.id === quiet.id ? 70_000 : 0);
  }
});
