import { describe, expect, it } from "vitest";
import { randomOf } from "../../../fixtures/random.ts";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { budgetOf, FREE, graphOf } from "../../../fixtures/routing/request.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { createRouter } from "../../../src/routing/create-router.ts";
import { fineFill } from "../../../src/routing/paths/greedy-fill.ts";
import { filledByChunks, filledFinely } from "../../../src/routing/search/by-chunks.ts";
import { climb } from "../../../src/routing/search/climb.ts";
import { sessionOf } from "../../support/trades/session.ts";

const TOKENS = [1, 2, 3, 4, 5, 6].map((n) => addressOf(n));
const [A, F] = [addressOf(1), addressOf(6)];
const E18 = 10n ** 18n;

/** Weighted pools of the same tokens and pairs beside them, all far off each other. */
function poolsFor(random: () => number): readonly Pool[] {
  const holds = () => BigInt(Math.round(10 ** (2 + 3 * random()))) * E18;
  const weighted = (n: number): Pool => {
    const parts = TOKENS.map(() => 1 + Math.floor(9 * random()));
    const all = parts.reduce((sum, part) => sum + part, 0);
    return {
      ...{ id: addressOf(n, "pool"), source: "Balancer_V2", tokens: TOKENS, curve: "weighted" },
      state: {
        ...{ balances: TOKENS.map(holds), weights: parts.map((part) => (BigInt(part) * E18) / BigInt(all)) },
        ...{ scales: TOKENS.map(() => 1n), swapFee: E18 / 1000n, paused: false },
      },
    };
  };
  const pairs = TOKENS.map((token, i) => {
    return pairOf(20 + i, [token, TOKENS[(i + 1) % 6] as typeof A], [holds(), holds()]);
  });
  return [weighted(10), weighted(11), weighted(12), ...pairs];
}

describe("a sale by fine chunks over pools that several pairs touch", () => {
  it("often pays more than one that takes pairs for pools, and no route pays less", () => {
    let more = 0;
    for (let seed = 0; seed < 60; seed++) {
      const pools = poolsFor(randomOf(seed));
      const sellAmount = BigInt(Math.round(10 ** (-2 + 4 * randomOf(seed + 1000)()))) * E18 + E18;
      const order = { kind: "exactIn", sellToken: A, buyToken: F, sellAmount } as const;
      const session = sessionOf(order, pools);
      const goal = { kind: "sell", amount: Number(sellAmount), costPerGas: 0, maxFills: 128 } as const;
      const [coarse, fine] = [filledByChunks(session, goal), filledFinely(session, goal)];
      expect(fine, `no cycle, seed ${seed}`).toBeDefined();
      if (coarse === undefined || fine === undefined || fine.stuck > 0 || coarse.stuck > 0) continue;
      if (fine.buyAmount > coarse.buyAmount) more++;
      const request = { order, graph: graphOf(pools), allows: () => true, cost: FREE, budget: budgetOf() };
      const answer = createRouter().findBest(request);
      const paid = answer.found ? Number(answer.certificate?.achieved) : 0;
      expect(paid / fine.buyAmount, `seed ${seed}`).toBeGreaterThan(1 - 1e-9);
      const further = climb(session, goal, fine);
      if (further.stuck === 0) expect(paid / further.buyAmount, `ways off it, seed ${seed}`).toBeGreaterThan(0.999);
    }
    expect(more).toBeGreaterThan(10);
  });
});

it("fine chunks begin with little, so that they meet pools which are best for little alone", () => {
  const sellAmount = 10n ** 14n;
  // Pays a twentieth more than the other one, and less for a three-hundredth of the trade.
  const little = pairOf(2, [A, F], [sellAmount / 25n, (sellAmount * 105n) / 2500n]);
  const pools = [pairOf(1, [A, F], [10n ** 18n, 10n ** 18n]), little];
  const session = sessionOf({ kind: "exactIn", sellToken: A, buyToken: F, sellAmount }, pools);
  const goal = { kind: "sell", amount: Number(sellAmount), costPerGas: 0, maxFills: 128 } as const;
  const filled = fineFill(session, goal);
  expect(filled.edges.map(({ pool }) => pool)).toContain(little);
  expect(filled.sellAmount / goal.amount).toBeCloseTo(1, 9);
});
