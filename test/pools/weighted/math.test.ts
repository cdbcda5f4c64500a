import fc from "fast-check";
import { expect, test } from "vitest";
import { weightedMath } from "../../../src/pools/weighted/math.ts";
import type { WeightedState } from "../../../src/pools/weighted/state.ts";
import { poolContract } from "../../support/suites/pool-contract.ts";
import { directionsOf } from "../curve/directions.ts";

const ONE = 10n ** 18n;

/** Pools worth up to a billion, with all weights that a contract takes. */
function pools(count: number, firstVersion: boolean): fc.Arbitrary<WeightedState> {
  const token = fc.record({
    decimals: fc.constantFrom(6n, 8n, 18n),
    skew: fc.double({ min: -2, max: 2, noNaN: true }),
    weight: fc.integer({ min: 1, max: 99 }),
  });
  return fc
    .record({
      size: fc.double({ min: 2, max: 9, noNaN: true }),
      tokens: fc.array(token, { minLength: count, maxLength: count }),
      swapFee: fc.constantFrom(10n ** 12n, 10n ** 15n, 2_500_000_000_000_001n, 10n ** 17n),
    })
    .map(({ size, tokens, swapFee }) => {
      const sum = BigInt(tokens.reduce((total, { weight }) => total + weight, 0));
      return {
        balances: tokens.map(
          ({ decimals, skew }) => (BigInt(Math.floor(10 ** (size + skew) * 1e6)) * 10n ** decimals) / 10n ** 6n,
        ),
        weights: tokens.map(({ weight }) => (BigInt(weight) * ONE) / sum),
        scales: tokens.map(({ decimals }) => 10n ** (18n - decimals)),
        swapFee,
        ...(firstVersion && { firstVersion }),
        paused: false,
      };
    });
}

/** Part of a balance that the contract keeps for the error of its powers: base units, rounded up. */
function errorOf(state: WeightedState, index: number): bigint {
  return ((state.balances[index] as bigint) * 2n) / 10n ** 14n + 2n;
}

/** Bought base units for one sold. */
function rateOf({ balances, weights }: WeightedState, { sell, buy }: { sell: number; buy: number }): number {
  const value = (index: number) => Number(weights[index]) / Number(balances[index]);
  return value(sell) / value(buy);
}

for (const [count, firstVersion] of [
  [2, false],
  [3, false],
  [3, true],
] as const) {
  poolContract(`a weighted pool of ${count}${firstVersion ? " of the first version" : ""}`, {
    math: weightedMath,
    states: pools(count, firstVersion),
    directions: directionsOf(count),
    exactOutExtra: (state, { sell }) => 10n * errorOf(state, sell),
    exactOutShort: (state, { buy }) => errorOf(state, buy),
    exactOutEndsEarlier: true,
    roundingOf: (state, direction) => Number(errorOf(state, direction.buy)) + rateOf(state, direction),
  });
}

test("a paused pool and an empty one serve nobody", () => {
  const pool = { weights: [ONE / 5n, (4n * ONE) / 5n], scales: [1n, 10n ** 12n], swapFee: ONE / 1_000n };
  const sold = (state: WeightedState) => weightedMath.quoteExactIn(state, { sell: 0, buy: 1 }, 10n ** 6n, 0n);
  const balances = [10n ** 20n, 10n ** 8n];
  expect(sold({ ...pool, balances, paused: true })).toEqual({ rejected: "PAUSED" });
  expect(sold({ ...pool, balances: [0n, 10n ** 8n], paused: false })).toEqual({ rejected: "NO_LIQUIDITY" });
  expect(sold({ ...pool, balances: [1n << 109n, 10n ** 8n], paused: false })).toEqual({ rejected: "NO_LIQUIDITY" });
});

test("an exact output that would cost more than four times what the pool holds is not bought", () => {
  const pool: WeightedState = {
    ...{ balances: [10n ** 20n, 10n ** 20n], weights: [ONE / 100n, (99n * ONE) / 100n], scales: [1n, 1n] },
    ...{ swapFee: ONE / 100n, paused: false },
  };
  const { maxBuy } = weightedMath.limits(pool, { sell: 0, buy: 1 }, 0n);
  const quote = weightedMath.quoteExactOut(pool, { sell: 0, buy: 1 }, maxBuy, 0n);
  const cost = "amount" in quote ? Number(quote.amount) : 0;
  expect(cost / 1e20).toBeCloseTo(4 / 0.99, 6);
});
