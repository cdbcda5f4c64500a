import { expect, it } from "vitest";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { budgetOf, FREE, graphOf } from "../../../fixtures/routing/request.ts";
import { mathOf, type Pool } from "../../../src/pools/pool.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { createRouter } from "../../../src/routing/create-router.ts";

const E18 = 10n ** 18n;
const [A, X, B] = [addressOf(1), addressOf(2), addressOf(3)];
const HELD = 1_000n * E18;
const CURVES = ["weighted", "balancer-v3"] as const;

/** A pool of A and X, as much of one as of the other; `weight` tenths of its value are in A. */
function poolOf(curve: (typeof CURVES)[number], weight: bigint): Pool {
  const two = (value: bigint) => [value, value];
  const named = { id: addressOf(7, "pool"), source: "Balancer", tokens: [A, X] };
  const weights = [(weight * E18) / 10n, ((10n - weight) * E18) / 10n];
  const state = { balances: two(HELD), weights, scales: two(1n), swapFee: 10n ** 15n, paused: false };
  if (curve === "weighted") return { ...named, curve, state };
  const still = { initialA: 0n, futureA: 0n, initialATime: 0n, futureATime: 0n };
  const terms = { rates: two(E18), aggregateFee: 0n, minTrade: 1_000_000n, minBalances: two(1_000_000n) };
  return { ...named, curve, state: { ...state, ...still, ...terms, kind: "weighted" } };
}

function bought(pools: readonly Pool[], buyToken: typeof B, buyAmount: bigint) {
  const order = { kind: "exactOut", sellToken: A, buyToken, buyAmount } as const;
  return createRouter().findBest({ order, graph: graphOf(pools), allows: () => true, cost: FREE, budget: budgetOf() });
}

it.each(CURVES)("a purchase takes as much out of a pool as its contract gives at once: %s", (curve) => {
  for (const weight of [2n, 5n, 8n]) {
    const pool = poolOf(curve, weight);
    const { maxBuy, maxSell } = mathOf(pool).limits(pool.state, { sell: 0, buy: 1 }, 0n);
    const quote = mathOf(pool).quoteExactOut(pool.state, { sell: 0, buy: 1 }, maxBuy, 0n);
    if (isRejection(quote)) throw new Error(quote.rejected);
    // A sale ends earlier where little of the pool's value is in what is sold, and later where much is.
    expect(quote.amount > maxSell).toBe(weight < 8n);
    const found = bought([pool], X, maxBuy);
    expect(found).toMatchObject({ found: true, route: { sellAmount: quote.amount } });
    expect(bought([pool], X, (maxBuy * 101n) / 100n)).toMatchObject({ found: false });
  }
});

it.each(CURVES)("a pool that serves two others costs no less than the bound says: %s", (curve) => {
  const pools = [poolOf(curve, 5n), pairOf(8, [X, B], [HELD, HELD]), pairOf(9, [X, B], [HELD, HELD])];
  const found = bought(pools, B, 240n * E18);
  if (!found.found || found.certificate === undefined) throw new Error("no route");
  const { bound, achieved } = found.certificate;
  expect(bound).toBeLessThanOrEqual(achieved);
  expect(Number(achieved - bound) / Number(achieved)).toBeLessThan(1e-3);
});
