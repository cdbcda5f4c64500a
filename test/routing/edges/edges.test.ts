import { describe, expect, it } from "vitest";
import { randomOf } from "../../../fixtures/random.ts";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { budgetOf, FREE, graphOf } from "../../../fixtures/routing/request.ts";
import type { Address } from "../../../src/domain/address.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { createRouter } from "../../../src/routing/create-router.ts";

const TOKENS = Array.from({ length: 8 }, (_, i) => addressOf(i + 1));
const E18 = 10n ** 18n;

/** A pool between two random tokens. */
function poolAt(n: number, random: () => number): Pool {
  const first = Math.floor(random() * TOKENS.length);
  const second = (first + 1 + Math.floor(random() * (TOKENS.length - 1))) % TOKENS.length;
  return pairOf(n, [TOKENS[first] as Address, TOKENS[second] as Address], reserves(random));
}

function reserves(random: () => number): [bigint, bigint] {
  return [E18 * BigInt(100 + Math.floor(random() * 900)), E18 * BigInt(100 + Math.floor(random() * 900))];
}

describe("a router that has seen other blocks", () => {
  it("answers as one that has not, whatever changed in between, and also about an older block", () => {
    let routes = 0;
    for (let seed = 0; seed < 12; seed++) {
      const random = randomOf(seed);
      const old = createRouter();
      let pools = Array.from({ length: 9 }, (_, n) => poolAt(n, random));
      const seen = [graphOf(pools)];
      for (let block = 1; block < 8; block++) {
        pools = pools.flatMap((pool) => {
          const dice = random();
          if (dice < 0.1) return [];
          if (dice > 0.4 || pool.curve !== "constant-product") return [pool];
          return [{ ...pool, state: { ...pool.state, reserves: reserves(random) } }];
        });
        if (random() < 0.7) pools.push(poolAt(100 * block, random));
        seen.push(graphOf(pools));
        for (const graph of [seen[block], seen[Math.floor(random() * block)]]) {
          if (graph === undefined) continue;
          const [sellToken, buyToken] = [TOKENS[block % 5] as Address, TOKENS[5 + (block % 3)] as Address];
          const order = { kind: "exactIn", sellToken, buyToken, sellAmount: 30n * E18 } as const;
          const request = { order, graph, allows: () => true, cost: FREE, budget: budgetOf() };
          const answer = old.findBest(request);
          const fresh = createRouter().findBest(request);
          expect(answer.found).toBe(fresh.found);
          if (!answer.found || !fresh.found) continue;
          routes++;
          const paid = (result: typeof answer) => Number(result.route.buyAmount);
          expect(paid(answer) / paid(fresh)).toBeCloseTo(1, 5);
          const bound = (result: typeof answer) => Number(result.certificate?.bound);
          expect(bound(answer) / paid(fresh)).toBeGreaterThan(1 - 1e-9);
        }
      }
    }
    expect(routes).toBeGreaterThan(80);
  });
});
