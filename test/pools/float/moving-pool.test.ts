import { describe, expect, it } from "vitest";
import { randomOf } from "../../../fixtures/random.ts";
import { addressOf } from "../../../fixtures/routing/pools.ts";
import { movingPool } from "../../../src/pools/float/moving-pool.ts";
import { mathOf, type Pool } from "../../../src/pools/pool.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";

const E18 = 10n ** 18n;
const TOKENS = [addressOf(1), addressOf(2), addressOf(3), addressOf(4)];

/** Four tokens of different decimals and weights. */
function weightedOf(random: () => number): Pool {
  const decimals = [18, 6, 8, 18];
  const parts = TOKENS.map(() => 1 + Math.floor(9 * random()));
  const all = parts.reduce((sum, part) => sum + part, 0);
  return {
    ...{ id: addressOf(1, "pool"), source: "Balancer_V2", tokens: TOKENS, curve: "weighted" },
    state: {
      balances: decimals.map((places) => BigInt(Math.round(10 ** (3 + 3 * random()))) * 10n ** BigInt(places)),
      weights: parts.map((part) => (BigInt(part) * E18) / BigInt(all)),
      scales: decimals.map((places) => 10n ** BigInt(18 - places)),
      swapFee: E18 / 300n,
      paused: false,
    },
  };
}

describe("a pool by weight that trades move, in floats", () => {
  it("pays after any pool uses what its quotes say", () => {
    const random = randomOf(5);
    for (let run = 0; run < 30; run++) {
      const pool = weightedOf(random);
      const math = mathOf(pool);
      const moving = movingPool(pool, 0n);
      let { state } = pool;
      for (let use = 0; use < 12; use++) {
        const sell = Math.floor(4 * random());
        const direction = { sell, buy: (sell + 1 + Math.floor(3 * random())) % 4 };
        const { maxSell } = math.limits(state, direction, 0n);
        expect(moving.most(direction) / Number(maxSell)).toBeCloseTo(1, 7);
        const amount = BigInt(Math.floor(Number(maxSell) * 0.9 * random()));
        const quote = math.quoteExactIn(state, direction, amount, 0n);
        if (isRejection(quote)) throw new Error(quote.rejected);
        const before = moving.copy();
        const pays = moving.pays(direction, Number(amount));
        expect(Math.abs(pays - Number(quote.amount))).toBeLessThan(2 + 1e-7 * Number(quote.amount));
        expect(moving.curve(direction)?.buyAmountFor(Number(amount))).toBeCloseTo(pays, -Math.log10(1e-9 * pays));
        moving.move(direction, Number(amount), pays);
        expect(before.pays(direction, Number(amount))).toBe(pays);
        ({ next: state } = quote);
      }
    }
  });
});
