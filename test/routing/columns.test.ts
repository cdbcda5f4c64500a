import { expect, test } from "vitest";
import { findColumns } from "../../src/routing/columns.ts";
import { createEdgeStore } from "../../src/routing/edge-store.ts";
import { createSession } from "../../src/routing/session.ts";
import { startingFlow } from "../../src/routing/starting-flow.ts";
import { createWorkspace } from "../../src/routing/workspace.ts";
import { addressOf, budgetOf, FREE, graphOf, pairOf } from "../support/universe.ts";

const [A, B, C] = [addressOf(1), addressOf(2), addressOf(3)];

test("a way over a pool that is deeper than the trade by far is worth what the narrow pool behind it gives", () => {
  const pools = [
    pairOf(1, [A, B], [10n ** 15n, 10n ** 15n]),
    pairOf(2, [A, C], [10n ** 30n, 10n ** 30n]),
    pairOf(3, [B, C], [10n ** 12n, 10n ** 12n]),
  ];
  const order = { kind: "exactIn", sellToken: A, buyToken: B, sellAmount: 10n ** 14n } as const;
  const request = { order, graph: graphOf(pools), allows: () => true, cost: FREE, budget: budgetOf() };
  const graph = createEdgeStore().graph(request.graph, []);
  const [source, sink] = [graph.nodeOf(A) as number, graph.nodeOf(B) as number];
  const session = createSession(request, graph, createWorkspace(), source, sink);
  const flow = startingFlow(session, { kind: "sell", amount: 1e14, costPerGas: 0, maxFills: 128 });
  if (flow === undefined) throw new Error("no path");
  const [column] = findColumns(session, flow, 1e11);
  // The price in the first pool has moved by a sixth: the narrow pool is moved as far, and half of that is earned on average.
  expect(column?.edges.map(({ pool }) => pool.id)).toEqual([addressOf(2, "pool"), addressOf(3, "pool")]);
  expect(column?.profit).toBeGreaterThan(5e9);
});
