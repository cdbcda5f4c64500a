import { expect, it } from "vitest";
import { createRandom } from "../../../fixtures/random.ts";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { FLOAT_ERROR } from "../../../src/routing/bound/measure.ts";
import { pathBound } from "../../../src/routing/bound/path-bound.ts";
import type { Edge } from "../../../src/routing/edges/edges.ts";
import { netOf, solveGoal } from "../../../src/routing/flow/goal.ts";
import type { Split } from "../../../src/routing/flow/solve-split.ts";
import type { Search } from "../../../src/routing/session/search.ts";
import { searchOf } from "../../support/trades/search.ts";

const E9 = 10n ** 9n;
const AMOUNT = 10n ** 6n;

/** A small trade among four to six tokens whose pools disagree, where a pool use costs a good part of the trade or more. */
function dearTrade(seed: number): Search {
  const random = createRandom(seed);
  const tokens = Array.from({ length: 4 + random.below(3) }, (_, i) => addressOf(i + 1));
  const pools = Array.from({ length: 6 + random.below(6) }, (_, i) => {
    const [a, b] = [random.below(tokens.length), random.below(tokens.length - 1)];
    const paid = BigInt(5 + random.below(60));
    return pairOf(i + 2, [tokens[a]!, tokens[b < a ? b : b + 1]!], [20n * E9, paid * E9]);
  });
  const [sellToken, buyToken] = [tokens[0]!, tokens.at(-1)!];
  pools.push(pairOf(1, [sellToken, buyToken], [20n * E9, BigInt(1 + random.below(20)) * E9]));
  const search = searchOf({ kind: "exactIn", sellToken, buyToken, sellAmount: AMOUNT }, pools);
  const use = (0.1 + random.below(20) / 10) * Number(AMOUNT);
  return { ...search, costPerGas: use / search.leastGas };
}

/** The flows over all simple paths. */
function* pathsOf(search: Search): Generator<Split> {
  const { graph, source, sink } = search;
  const walk = function* (node: number, seen: readonly number[], edges: readonly Edge[]): Generator<readonly Edge[]> {
    if (node === sink) yield edges;
    else
      for (let slot = graph.start[node]!; slot < graph.start[node + 1]!; slot++) {
        const next = graph.to[slot]!;
        if (!seen.includes(next)) yield* walk(next, [...seen, next], [...edges, graph.edgeAt(slot)]);
      }
  };
  for (const edges of walk(source, [source], [])) {
    const flow = solveGoal({ ...search, maxHops: edges.length }, edges, search.amount, new Map());
    if (flow !== undefined) yield flow;
  }
}

it("is never below what a path pays net of gas that costs more than the trade, whichever path it begins from", () => {
  let told = 0;
  for (let seed = 0; seed < 400; seed++) {
    const search = dearTrade(seed);
    const flows = [...pathsOf(search)];
    const best = Math.max(...flows.map((flow) => netOf(search, flow)));
    for (const flow of flows) {
      const value = netOf(search, flow);
      for (const limit of [value + 0.01 * Math.abs(value), best + 0.1 * Math.abs(best)]) {
        const most = pathBound(search, flow, {
          ...{
            room: () => Number.POSITIVE_INFINITY,
            wrapGas: 0,
            limit,
            mostSteps: Number.POSITIVE_INFINITY,
          },
        });
        if (most === undefined) continue;
        told++;
        expect(most, `seed ${seed}`).toBeGreaterThanOrEqual(best - FLOAT_ERROR * Math.abs(best));
      }
    }
  }
  expect(told).toBeGreaterThan(1_000);
});
