import { expect, test } from "vitest";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import type { Edge } from "../../../src/routing/edges/edges.ts";
import { placeFlow } from "../../../src/routing/flow/place-flow.ts";
import { supportOf } from "../../../src/routing/flow/support.ts";
import { edgesIn, searchOf } from "../../support/trades/search.ts";

const [A, B, C] = [addressOf(1), addressOf(2), addressOf(3)];
const E18 = 10n ** 18n;

test("finds room elsewhere where a pool takes less of a token once it has paid some of it", () => {
  const shared: Pool = {
    ...{ id: addressOf(10, "pool"), source: "Balancer_V2", tokens: [A, B, C], curve: "weighted" },
    state: {
      ...{ balances: [100n * E18, 100n * E18, 100n * E18], weights: [E18 / 3n, E18 / 3n, E18 / 3n] },
      ...{ scales: [1n, 1n, 1n], swapFee: E18 / 1000n, paused: false },
    },
  };
  const pairs = [pairOf(1, [A, B], [10n * E18, 10n * E18]), pairOf(2, [A, C], [100n * E18, 100n * E18])];
  const search = searchOf({ kind: "exactIn", sellToken: A, buyToken: C, sellAmount: 50n * E18 }, [shared, ...pairs]);
  const node = (token: typeof A) => search.graph.nodeOf(token) as number;
  const between = (pool: Pool, from: typeof A, to: typeof A) =>
    edgesIn(search.graph).find((e) => e.pool.id === pool.id && e.from === node(from) && e.to === node(to)) as Edge;
  const [small, wide] = pairs as [Pool, Pool];
  const edges = [between(shared, A, B), between(small, A, B), between(shared, B, C), between(wide, A, C)];
  const support = supportOf(search, edges);
  if (support === undefined) throw new Error("no support");
  // The pool takes all that arrives at B at first, and less than that after it has paid some.
  const wanted = support.edges.map((edge) => ([25e18, 8e18, 24e18, 17e18] as const)[edges.indexOf(edge)] as number);
  const placed = placeFlow(search, support, 50e18, wanted);
  expect(placed.stuck).toBe(0);
  expect(placed.sells.reduce((sum, sell, i) => sum + (support.edges[i]?.from === node(A) ? sell : 0), 0)).toBe(50e18);
});
