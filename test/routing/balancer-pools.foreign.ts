import { expect, test } from "vitest";
import { answerTo } from "../../fixtures/routing/answer.ts";
import { balancerPools } from "../../fixtures/universes/balancer.ts";
import { toAddress } from "../../src/domain/address.ts";
import { mathOf } from "../../src/pools/pool.ts";
import { isRejection } from "../../src/pools/pool-math.ts";

const found = balancerPools();
if (found === undefined) throw new Error("the folder has no pools of Balancer");
const { pools } = found;

test("real pools of Balancer V2 are what the router takes them for", () => {
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

test("what fills these pools has a route as long as there is room by some way", () => {
  // Sales near what all pools can take, which ways over full pools lead to.
  const sales = [
    [
      "0x7fc66500c84a76ad7e9c93437bfc5ac33e2ddae9",
      "0x3845badade8e6dff049820680d1f14bd3903a5d0",
      1_059_676_213_910_909_824n,
    ],
    [
      "0xbb0e17ef65f82ab018d8edd776e8dd940327b28b",
      "0x2ba592f78db6436527729929aaf6c908497cb200",
      158_944_194_990_426_144n,
    ],
  ] as const;
  for (const [sellToken, buyToken, sellAmount] of sales)
    expect(
      answerTo({ kind: "exactIn", sellToken: toAddress(sellToken), buyToken: toAddress(buyToken), sellAmount }, pools)
        .found,
    ).toBe(true);
});
