import fc from "fast-check";
import { expect, test } from "vitest";
import type { Direction } from "../../../src/pools/pool-math.ts";
import { stableswapMath } from "../../../src/pools/stableswap/math.ts";
import type { StableswapState } from "../../../src/pools/stableswap/state.ts";
import { poolContract } from "../../support/suites/pool-contract.ts";
import { directionsOf } from "../curve/directions.ts";

/** Pools of `count` tokens worth up to a hundred million, some of them with a rate of their own, some on a ramp. */
function pools(count: number, generation: "old" | "ng"): fc.Arbitrary<StableswapState> {
  const token = fc.record({
    decimals: fc.constantFrom(6n, 8n, 18n),
    rate: fc.constantFrom(10n ** 18n, 1_037_512_345_678_901_234n, 2n * 10n ** 18n),
    skew: fc.double({ min: -1.5, max: 1.5, noNaN: true }),
  });
  return fc
    .record({
      size: fc.double({ min: 0, max: 8, noNaN: true }),
      tokens: fc.array(token, { minLength: count, maxLength: count }),
      initialA: fc.integer({ min: 1, max: 5_000 }),
      futureA: fc.integer({ min: 1, max: 5_000 }),
      ramp: fc.constantFrom(0n, 1_699_999_000n, 1_700_000_500n),
      aPrecision: fc.constantFrom(1n, 100n),
      fee: fc.constantFrom(0n, 1_000_000n, 4_000_000n, 40_000_000n),
      multiplier: fc.constantFrom(0n, 10n ** 10n),
    })
    .map(({ size, tokens, initialA, futureA, ramp, aPrecision, fee, multiplier }) => ({
      balances: tokens.map(
        ({ decimals, skew }) => (BigInt(Math.floor(10 ** (size + skew) * 1e6)) * 10n ** decimals) / 10n ** 6n,
      ),
      rates: tokens.map(({ decimals, rate }) => rate * 10n ** (18n - decimals)),
      initialA: BigInt(initialA) * aPrecision,
      futureA: BigInt(futureA) * aPrecision,
      initialATime: ramp === 0n ? 0n : ramp - 1_000n,
      futureATime: ramp,
      ...{ aPrecision, fee, adminFee: 5n * 10n ** 9n, generation, killed: false },
      ...(generation === "ng" && { offpegFeeMultiplier: multiplier }),
    }));
}

/** States with shares of their own, one token more. */
function withShares(states: fc.Arbitrary<StableswapState>): fc.Arbitrary<StableswapState> {
  return fc.tuple(states, fc.integer({ min: 400, max: 1_000 })).map(([state, perMille]) => {
    const worth = state.balances.reduce((sum, balance, i) => sum + balance * (state.rates[i] as bigint), 0n);
    return { ...state, totalSupply: (worth * BigInt(perMille)) / 10n ** 21n };
  });
}

/** A few units in the last of 18 decimals, or one base unit of a token that has fewer. */
const suite = {
  math: stableswapMath,
  exactOutExtra: () => 0n,
  feeRounding: () => 16n,
  roundingOf: (state: StableswapState, direction: { sell: number; buy: number }) =>
    8 + Number(((state.rates[direction.sell] as bigint) * 4n) / (state.rates[direction.buy] as bigint)),
};

for (const count of [2, 3, 4]) {
  poolContract(`an old stableswap of ${count}`, {
    ...suite,
    states: pools(count, "old"),
    directions: directionsOf(count),
  });
}
poolContract("a stableswap-NG of 3", { ...suite, states: pools(3, "ng"), directions: directionsOf(3) });
poolContract("a stableswap-NG whose fee depends on the peg", {
  ...{ ...suite, directions: directionsOf(2), feeFalls: true },
  states: pools(2, "ng").map((state) => ({ ...state, offpegFeeMultiplier: 2n * 10n ** 10n })),
});

/** Worth of one base unit of a token, or of the share behind the coins, in 18 decimals. */
const worthOf = ({ rates }: StableswapState, token: number) => Number(rates[token] ?? 10n ** 18n) / 1e18;
/**
 * The fee of an addition is counted in whole units of each coin, what is in proportion too: in 18 decimals, what that
 * leaves out. Invariants are wrong by a few units in their last digit.
 */
const leftOut = (state: StableswapState) => 16 + 2 * state.rates.reduce((sum, _, i) => sum + worthOf(state, i), 0);
const ofShares = {
  ...suite,
  feeRounding: (state: StableswapState, { sell }: Direction) =>
    BigInt(Math.ceil(leftOut(state) / worthOf(state, sell))) + 16n,
  roundingOf: (state: StableswapState, { sell, buy }: Direction) => {
    const rate = stableswapMath.curve(state, { sell, buy }, 1_700_000_000n)?.marginalRate(0) ?? 0;
    return 8 + (rate * leftOut(state)) / worthOf(state, sell);
  },
};
for (const count of [2, 3]) {
  poolContract(`the shares of an old stableswap of ${count}`, {
    ...{ ...ofShares, states: withShares(pools(count, "old")), directions: directionsOf(count + 1) },
  });
}
poolContract("the shares of a stableswap-NG of 3", {
  ...{ ...ofShares, states: withShares(pools(3, "ng")), directions: directionsOf(4) },
});
poolContract("the shares of a stableswap-NG whose fee depends on the peg", {
  ...{ ...ofShares, directions: directionsOf(3), feeFalls: true },
  states: withShares(pools(2, "ng")).map((state) => ({ ...state, offpegFeeMultiplier: 2n * 10n ** 10n })),
});

test("the ceiling of a fee that depends on the peg is above every exchange, and by so little that lower it would not be", () => {
  const seen = { trades: 0, near: 0, towards: 0, away: 0 };
  const states = pools(2, "ng").map((state) => ({ ...state, offpegFeeMultiplier: 5n * 10n ** 10n }));
  const parts = fc.double({ min: 0, max: 1, noNaN: true }).map((power) => 10 ** (-6 + 6 * power));
  fc.assert(
    fc.property(states, fc.boolean(), parts, (state, forwards, part) => {
      const direction = forwards ? { sell: 0, buy: 1 } : { sell: 1, buy: 0 };
      const curve = stableswapMath.curve(state, direction, 1_700_000_000n);
      if (curve?.ceiling === undefined) return;
      const sellAmount = BigInt(Math.floor(curve.maxSell * part));
      const quote = stableswapMath.quoteExactIn(state, direction, sellAmount, 1_700_000_000n);
      if (!("amount" in quote)) return;
      seen.trades++;
      const bound = curve.ceiling.buyAmountFor(Number(sellAmount));
      expect(bound * (1 + 1e-9)).toBeGreaterThanOrEqual(Number(quote.amount));
      if (bound * (1 - 1e-5) < Number(quote.amount)) seen.near++;
      const [sold, bought] = [direction.sell, direction.buy].map(
        (i) => (state.balances[i] as bigint) * (state.rates[i] as bigint),
      );
      seen[(sold as bigint) < (bought as bigint) ? "towards" : "away"]++;
    }),
    { numRuns: 600, seed: 90_210 },
  );
  // Towards the peg the fee falls and a hull spans what is hollow; elsewhere it lies on the curve.
  expect(seen.near).toBeGreaterThan(seen.trades * 0.45);
  expect(Math.min(seen.towards, seen.away)).toBeGreaterThan(100);
});

const pool: StableswapState = {
  ...{ balances: [10n ** 12n, 10n ** 24n], rates: [10n ** 30n, 10n ** 18n], aPrecision: 100n, fee: 4_000_000n },
  ...{ initialA: 10_000n, futureA: 20_000n, initialATime: 1_000n, futureATime: 2_000n, adminFee: 5n * 10n ** 9n },
  ...{ generation: "old", killed: false },
};
const SELL_FIRST = { sell: 0, buy: 1 };

test("amplification moves with the time of the block, until its end", () => {
  const at = (time: bigint) => stableswapMath.quoteExactIn(pool, SELL_FIRST, 10n ** 11n, time);
  const amounts = [500n, 1_000n, 1_500n, 2_000n, 3_000n].map((time) => {
    const quote = at(time);
    return "amount" in quote ? quote.amount : 0n;
  });
  expect(amounts[0]).toBe(amounts[1]);
  expect((amounts[1] as bigint) < (amounts[2] as bigint) && (amounts[2] as bigint) < (amounts[3] as bigint)).toBe(true);
  expect(amounts[3]).toBe(amounts[4]);
});

test("a killed pool, an empty one and one that lost its peg serve nobody", () => {
  const sold = (state: StableswapState) => stableswapMath.quoteExactIn(state, SELL_FIRST, 10n ** 6n, 0n);
  expect(sold({ ...pool, killed: true })).toEqual({ rejected: "PAUSED" });
  expect(sold({ ...pool, balances: [0n, 10n ** 24n] })).toEqual({ rejected: "NO_LIQUIDITY" });
  expect(sold({ ...pool, balances: [10n ** 6n, 10n ** 24n] })).toEqual({ rejected: "NO_LIQUIDITY" });
});
