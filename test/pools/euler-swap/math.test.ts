import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_UINT112 } from "../../../src/math/full-math.ts";
import { ONE } from "../../../src/pools/euler-swap/branch.ts";
import { impossibleEulerSwap } from "../../../src/pools/euler-swap/impossible.ts";
import { eulerSwapMath, partnerOf } from "../../../src/pools/euler-swap/math.ts";
import type { EulerSwapState } from "../../../src/pools/euler-swap/state.ts";
import { type Direction, isRejection } from "../../../src/pools/pool-math.ts";
import { poolContract } from "../../support/suites/pool-contract.ts";
import { directionsOf } from "../curve/directions.ts";
import { eulerSwapPools } from "./arbitrary-euler-swap.ts";

/** Bought units that are worth a sold one at the equilibrium. */
const rateOf = ({ prices }: EulerSwapState, { sell, buy }: Direction) =>
  Number(prices[sell as 0 | 1]) / Number(prices[buy as 0 | 1]);

/** Bought units by which a root of version 1 may be above the smallest that the curve allows: it has no digits beyond units. */
function rootError({ version, concentrations }: EulerSwapState, { buy }: Direction): number {
  const c = Number(concentrations[buy as 0 | 1]) / 1e18;
  return version === "v2" ? 2 : c === 0 ? 4 : 4 + 2 / c;
}

/** A reserve far below its equilibrium is worth more than there. */
const MOST_BENT = 400;

poolContract("EulerSwap's pools", {
  ...{ math: eulerSwapMath, states: eulerSwapPools, directions: directionsOf(2), tradable: 0.5 },
  roundingOf: (state, direction) =>
    3 +
    rootError(state, direction) +
    2 * MOST_BENT * rateOf(state, direction) +
    Number(state.reserves[direction.buy as 0 | 1]) * 4e-15,
  exactOutEndsEarlier: true,
  exactOutExtra: (state, direction) => {
    const back = { sell: direction.buy, buy: direction.sell };
    return BigInt(Math.ceil(3 + 2 * rootError(state, back)));
  },
  exactOutShort: (state, direction) => BigInt(Math.ceil(2 + rootError(state, direction))),
  roundTripExtra: (state, { sell, buy }) =>
    BigInt(Math.ceil(3 + 2 * MOST_BENT * rateOf(state, { sell: buy, buy: sell }))),
  feeRounding: (state, direction) => BigInt(Math.ceil(3 + (2 * MOST_BENT) / rateOf(state, direction))),
});

const plain: EulerSwapState = {
  ...{ version: "v2", reserves: [1_000n * ONE, 2_000n * ONE], equilibrium: [1_000n * ONE, 2_000n * ONE] },
  ...{ prices: [2n * ONE, ONE], concentrations: [ONE / 2n, (9n * ONE) / 10n], fees: [ONE / 1_000n, ONE / 500n] },
  ...{ maxIn: [5_000n * ONE, 600n * ONE], maxOut: [400n * ONE, 1_500n * ONE] },
};
const sold = (state: EulerSwapState, sell: 0 | 1, amount: bigint) => {
  const quote = eulerSwapMath.quoteExactIn(state, { sell, buy: 1 - sell }, amount, 0n);
  if (isRejection(quote)) throw new Error(quote.rejected);
  return quote;
};

test.each(["v1", "v2"] as const)(
  "%s: each side has its own fee and concentration, and the way back is the other one's",
  (version) => {
    const state = { ...plain, version };
    // A sale of token 0 pays out of token 1, which keeps its price better.
    const there = sold(state, 0, 100n * ONE);
    expect(Number(there.amount) / 1e18).toBeCloseTo(197.63, 2);
    expect(there.next.reserves[0]).toBe(state.reserves[0] + 100n * ONE - ONE / 10n);
    const back = sold(there.next, 1, there.amount);
    expect(back.amount).toBeLessThan(100n * ONE);
    expect(Number(back.amount) / 1e20).toBeCloseTo((1 - 0.001) * (1 - 0.002), 4);
    const other = sold(state, 1, 200n * ONE);
    expect(other.next.reserves[1]).toBe(state.reserves[1] + 200n * ONE - (2n * ONE) / 5n);
  },
);

test.each(["v1", "v2"] as const)("%s: a trade may lead across the equilibrium", (version) => {
  const moved = sold({ ...plain, version }, 0, 100n * ONE).next;
  const across = sold(moved, 1, 500n * ONE).next;
  expect(across.reserves[0]).toBeLessThan(plain.equilibrium[0]);
  expect(across.reserves[1]).toBeGreaterThan(plain.equilibrium[1]);
});

test("what the vaults take in and pay out bounds both kinds of trades, and trades use it up", () => {
  const [there, back] = [
    { sell: 0, buy: 1 },
    { sell: 1, buy: 0 },
  ];
  const { maxSell, maxBuy } = eulerSwapMath.limits(plain, there, 0n);
  expect(maxBuy).toBe(plain.maxOut[1]);
  expect(maxSell).toBeLessThan(plain.maxIn[0]);
  expect(eulerSwapMath.limits(plain, back, 0n).maxSell).toBe(plain.maxIn[1]);
  const { next } = sold(plain, 0, 100n * ONE);
  expect(next.maxIn).toEqual([4_900n * ONE, 600n * ONE]);
  expect(next.maxOut[0]).toBe(plain.maxOut[0]);
  const all = sold(plain, 0, maxSell).next;
  expect(eulerSwapMath.limits(all, there, 0n)).toEqual({ maxSell: 0n, maxBuy: 0n });
  expect(eulerSwapMath.quoteExactIn(all, there, 1n, 0n)).toEqual({ rejected: "NO_LIQUIDITY" });
});

test("no output is free: the least cost is a base unit", () => {
  const coarse: EulerSwapState = { ...plain, prices: [ONE, 1n], equilibrium: [1_000n, 1_000n * ONE] };
  const pool = { ...coarse, reserves: coarse.equilibrium, maxIn: [500n, ONE], maxOut: [500n, 500n * ONE] } as const;
  const quote = eulerSwapMath.quoteExactOut(pool, { sell: 0, buy: 1 }, 1n, 0n);
  expect(isRejection(quote) ? quote : quote.amount).toBe(1n);
});

test("a pool that takes all for its fee, or has nothing to pay, trades nothing", () => {
  for (const state of [
    { ...plain, fees: [ONE, 0n] },
    { ...plain, maxIn: [0n, ONE] },
    { ...plain, maxOut: [ONE, 0n] },
    { ...plain, equilibrium: [1_000n * ONE, 0n], reserves: [1_000n * ONE, 0n] },
  ] as EulerSwapState[]) {
    const direction = { sell: 0, buy: 1 };
    expect(eulerSwapMath.limits(state, direction, 0n)).toEqual({ maxSell: 0n, maxBuy: 0n });
    expect(eulerSwapMath.curve(state, direction, 0n)).toBeUndefined();
    expect(eulerSwapMath.spotPrice(state, direction, 0n)).toBeUndefined();
    expect(eulerSwapMath.quoteExactOut(state, direction, 1n, 0n)).toEqual({ rejected: "NO_LIQUIDITY" });
  }
});

test("a reserve that is sold out comes back at the price of the equilibrium", () => {
  const out: EulerSwapState = { ...plain, concentrations: [ONE, ONE], fees: [0n, 0n], maxOut: [0n, 3_996n * ONE] };
  const state: EulerSwapState = { ...out, reserves: [0n, 4_000n * ONE] };
  const curve = eulerSwapMath.curve(state, { sell: 0, buy: 1 }, 0n)!;
  expect(curve.marginalRate(0)).toBe(2);
  expect(curve.buyAmountFor(0)).toBe(0);
  for (const amount of [1n, 700n * ONE, 1_998n * ONE])
    expect(curve.buyAmountFor(Number(amount))).toBe(Number(sold(state, 0, amount).amount));
});

test("a pool without an equilibrium of a token sells its last unit, and none beyond", () => {
  const state: EulerSwapState = { ...plain, equilibrium: [1_000n * ONE, 0n], reserves: [500n * ONE, 1_500n * ONE] };
  const free: EulerSwapState = { ...state, concentrations: [ONE / 2n, ONE / 2n], fees: [0n, 0n] };
  const curve = eulerSwapMath.curve({ ...free, maxOut: [0n, 2_000n * ONE] }, { sell: 0, buy: 1 }, 0n)!;
  expect(curve.maxSell).toBe(5e21);
  expect(curve.buyAmountFor(500e18)).toBe(1_500e18);
  expect(curve.marginalRate(500e18)).toBe(2);
  expect([curve.buyAmountFor(5e21), curve.marginalRate(5e21)]).toEqual([1_500e18, 0]);
});

test("the ceiling pays for what somebody has left beyond the curve, the view itself does not", () => {
  const state: EulerSwapState = { ...plain, reserves: [1_000n * ONE, 2_050n * ONE] };
  const curve = eulerSwapMath.curve(state, { sell: 0, buy: 1 }, 0n)!;
  expect(curve.concave).toBe(false);
  for (const amount of [1n, ONE, 100n * ONE]) {
    const paid = Number(sold(state, 0, amount).amount);
    expect(curve.ceiling!.buyAmountFor(Number(amount)) / paid).toBeCloseTo(1, 9);
    expect(paid - curve.buyAmountFor(Number(amount))).toBeCloseTo(50e18, -8);
  }
  expect(eulerSwapMath.curve({ ...state, reserves: plain.reserves }, { sell: 0, buy: 1 }, 0n)!.concave).toBe(true);
});

test("states at the ends of what contracts admit answer without throwing", () => {
  const ends = [0n, 1n, ONE, 10n ** 24n, (1n << 112n) - 1n];
  const end = fc.constantFrom(...ends);
  const pair = fc.tuple(end, end);
  const price = fc.constantFrom(1n, ONE, 10n ** 24n);
  const part = fc.constantFrom(0n, 1n, ONE - 1n, ONE);
  const states = fc.record({
    version: fc.constantFrom("v1" as const, "v2" as const),
    ...{ reserves: pair, equilibrium: pair, prices: fc.tuple(price, price), maxIn: pair, maxOut: pair },
    ...{ concentrations: fc.tuple(part, part), fees: fc.tuple(part, part) },
  });
  fc.assert(
    fc.property(states, fc.constantFrom(...directionsOf(2)), end, (state, direction, amount) => {
      expect(impossibleEulerSwap(state)).toBeUndefined();
      eulerSwapMath.limits(state, direction, 0n);
      eulerSwapMath.spotPrice(state, direction, 0n);
      const curve = eulerSwapMath.curve(state, direction, 0n);
      const isOnCurve = ([0, 1] as const).every(
        (token) =>
          state.reserves[token] >= state.equilibrium[token] ||
          (partnerOf(state, token, state.reserves[token]) ?? MAX_UINT112 + 1n) <= state.reserves[1 - token]!,
      );
      for (const sold of curve === undefined || !isOnCurve ? [] : [0, Number(amount), curve.maxSell])
        expect([curve!.buyAmountFor(sold) >= 0, curve!.marginalRate(sold) >= 0], `${sold}`).toEqual([true, true]);
      for (const quote of [
        eulerSwapMath.quoteExactIn(state, direction, amount, 0n),
        eulerSwapMath.quoteExactOut(state, direction, amount, 0n),
      ])
        if (!isRejection(quote)) expect(impossibleEulerSwap(quote.next)).toBeUndefined();
    }),
    { numRuns: 2_000, seed: 31_001 },
  );
});

test("states that pools can have are possible, others not", () => {
  fc.assert(
    fc.property(eulerSwapPools, (state) => {
      expect(impossibleEulerSwap(state)).toBeUndefined();
    }),
  );
  expect(impossibleEulerSwap({ ...plain, prices: [0n, 1n] })).toMatch(/^prices/);
  expect(impossibleEulerSwap({ ...plain, prices: [10n ** 24n + 1n, 1n] })).toMatch(/^prices/);
  expect(impossibleEulerSwap({ ...plain, version: "v1", prices: [10n ** 24n + 1n, 1n] })).toBeUndefined();
  expect(impossibleEulerSwap({ ...plain, concentrations: [ONE + 1n, 0n] })).toMatch(/^concentrations/);
  expect(impossibleEulerSwap({ ...plain, fees: [0n, ONE + 1n] })).toMatch(/^fees/);
  expect(impossibleEulerSwap({ ...plain, reserves: [1n << 112n, 0n] })).toMatch(/^amounts/);
});
