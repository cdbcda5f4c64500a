import { describe, expect, it } from "vitest";
import { randomOf } from "../../../fixtures/random.ts";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { resplit, solveSplit } from "../../../src/routing/flow/solve-split.ts";
import { edgesIn, searchOf } from "../../support/trades/search.ts";

const [A, B, C, D, E] = [addressOf(1), addressOf(2), addressOf(3), addressOf(4), addressOf(5)];
const E18 = 10n ** 18n;

/** Two weighted pools of the same tokens and pairs beside them, all off each other. */
function poolsFor(random: () => number): readonly Pool[] {
  const holds = () => BigInt(Math.round(10 ** (2 + 2 * random()))) * E18;
  const weighted = (n: number): Pool => {
    const tokens = [A, B, C, D, E];
    const parts = tokens.map(() => 1 + Math.floor(9 * random()));
    const all = parts.reduce((sum, part) => sum + part, 0);
    return {
      ...{ id: addressOf(n, "pool"), source: "Balancer_V2", tokens, curve: "weighted" },
      state: {
        ...{ balances: tokens.map(holds), weights: parts.map((part) => (BigInt(part) * E18) / BigInt(all)) },
        ...{ scales: tokens.map(() => 1n), swapFee: E18 / 1000n, paused: false },
      },
    };
  };
  const pair = (n: number, one: typeof A, other: typeof A) => pairOf(n, [one, other], [holds(), holds()]);
  return [weighted(10), weighted(11), pair(1, A, B), pair(2, B, C), pair(3, C, D), pair(4, D, E), pair(5, A, E)];
}

describe("a sale over pools that its pool uses move", () => {
  it("is split on until it pays no more, and never pays less", () => {
    const gains: number[] = [];
    for (let seed = 0; seed < 60; seed++) {
      const pools = poolsFor(randomOf(seed));
      const search = searchOf({ kind: "exactIn", sellToken: A, buyToken: E, sellAmount: 30n * E18 }, pools);
      const order = [A, B, C, D, E].map((token) => search.graph.nodeOf(token) as number);
      const forward = edgesIn(search.graph).filter((edge) => order.indexOf(edge.from) < order.indexOf(edge.to));
      const flow = solveSplit(search, forward, { side: "exactIn", amount: 3e19 }, new Map());
      if (flow === undefined || flow.stuck > 0) continue;
      const once = resplit(search, flow);
      gains.push(once.buyAmount / flow.buyAmount - 1);
      expect(once.stuck).toBe(0);
    }
    expect(Math.min(...gains)).toBeGreaterThanOrEqual(0);
    expect(gains.filter((gain) => gain > 1e-6).length).toBeGreaterThan(10);
  });
});
