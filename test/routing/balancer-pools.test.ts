import { expect, test } from "vitest";
import { balancerPools } from "../../bench/peers/balancer-universe.ts";
import { mathOf } from "../../src/pools/pool.ts";
import { isRejection } from "../../src/pools/pool-math.ts";

const found = balancerPools();

test.skipIf(found === undefined)("real pools of Balancer V2 are what the router takes them for", () => {
  const pools = found?.pools ?? [];
  const kinds = new Map<string, number>();
  let edges = 0;
  for (const pool of pools) {
    kinds.set(pool.curve, (kinds.get(pool.curve) ?? 0) + 1);
    const math = mathOf(pool);
    for (const sell of pool.tokens.keys()) {
      const buy = (sell + 1) % pool.tokens.length;
      const { maxSell } = math.limits(pool.state, { sell, buy }, 0n);
      const curve = math.curve(pool.state, { sell, buy }, 0n);
      const amount = maxSell / 3n;
      const quote = math.quoteExactIn(pool.state, { sell, buy }, amount, 0n);
      if (curve === undefined || isRejection(quote) || quote.amount < 10n ** 6n || amount < 10n ** 6n) continue;
      expect(curve.concave).toBe(true);
      expect(curve.buyAmountFor(Number(amount)) / Number(quote.amount)).toBeCloseTo(1, 4);
      expect(Number(quote.amount) / Number(amount)).toBeLessThanOrEqual(curve.marginalRate(0) * (1 + 1e-9));
      edges++;
    }
  }
  expect(kinds.get("weighted")).toBeGreaterThan(150);
  expect(kinds.get("composable-stable")).toBeGreaterThan(3);
  expect(edges).toBeGreaterThan(300);
});
