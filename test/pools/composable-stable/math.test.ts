import fc from "fast-check";
import { expect, test } from "vitest";
import { composableStableMath } from "../../../src/pools/composable-stable/math.ts";
import type { ComposableStableState } from "../../../src/pools/composable-stable/state.ts";
import type { Direction } from "../../../src/pools/pool-math.ts";
import { poolContract } from "../../support/suites/pool-contract.ts";
import { directionsOf } from "../curve/directions.ts";

const ONE = 10n ** 18n;
const NEVER = (1n << 256n) - 1n;
const PREMINTED = 1n << 111n;
const TIME = 1_700_000_000n;

/** Pools of `count` tokens worth up to a hundred million, their share last, some with values of their own. */
function pools(count: number): fc.Arbitrary<ComposableStableState> {
  const token = fc.record({
    decimals: fc.constantFrom(6n, 8n, 18n),
    rate: fc.constantFrom(ONE, 1_037_512_345_678_901_234n, 2n * ONE),
    grown: fc.constantFrom(0n, 1n, 300_000n),
    expiry: fc.constantFrom(NEVER, TIME - 1n, TIME),
    exempt: fc.boolean(),
    skew: fc.double({ min: -1.5, max: 1.5, noNaN: true }),
  });
  return fc
    .record({
      size: fc.double({ min: 3, max: 8, noNaN: true }),
      tokens: fc.array(token, { minLength: count, maxLength: count }),
      initialA: fc.integer({ min: 10, max: 5_000 }),
      futureA: fc.integer({ min: 10, max: 5_000 }),
      ramp: fc.constantFrom(0n, TIME - 1_000n, TIME + 500n),
      swapFee: fc.constantFrom(10n ** 12n, 4n * 10n ** 14n, 10n ** 16n),
      gains: fc.constantFrom(0n, 1_000n),
    })
    .map(({ size, tokens, initialA, futureA, ramp, swapFee, gains }) => {
      const scales = tokens.map(({ decimals }) => 10n ** (18n - decimals));
      const held = tokens.map(({ decimals, skew, rate }) => {
        const worth = (BigInt(Math.floor(10 ** (size + skew) * 1e6)) * 10n ** decimals) / 10n ** 6n;
        return (worth * ONE) / rate;
      });
      const value = held.reduce(
        (sum, balance, i) => sum + balance * (scales[i] as bigint) * (tokens[i]?.rate as bigint),
        0n,
      );
      const shares = value / ONE;
      const withShare = <T>(list: readonly T[], ofShare: T) => [...list, ofShare];
      return {
        balances: withShare(held, PREMINTED - shares),
        share: count,
        scales: withShare(scales, 1n),
        rates: withShare(
          tokens.map(({ rate }) => rate),
          ONE,
        ),
        freshRates: withShare(
          tokens.map(({ rate, grown }) => rate + (rate * grown) / 10n ** 9n),
          0n,
        ),
        oldRates: withShare(
          tokens.map(({ rate, grown }) => rate - (rate * grown) / 10n ** 9n),
          ONE,
        ),
        expiries: withShare(
          tokens.map(({ expiry }) => expiry),
          NEVER,
        ),
        durations: withShare(
          tokens.map(() => 600n),
          0n,
        ),
        exempt: withShare(
          tokens.map(({ exempt }) => exempt),
          false,
        ),
        initialA: BigInt(initialA) * 1_000n,
        futureA: BigInt(futureA) * 1_000n,
        initialATime: ramp === 0n ? 0n : ramp - 1_000n,
        futureATime: ramp,
        ...{ swapFee, totalSupply: PREMINTED, lastA: BigInt(initialA) * 1_000n },
        lastInvariant: shares - (shares * gains) / 10n ** 6n,
        ...{ protocolSwapFee: ONE / 2n, protocolYieldFee: ONE / 4n, paused: false },
      };
    });
}

/** Base units of a token in one of 18 decimals of the common value. */
const perDigit = (state: ComposableStableState, index: number) =>
  1e18 / Number((state.scales[index] as bigint) * (state.rates[index] as bigint));
const isOfShare = ({ share }: ComposableStableState, { sell, buy }: Direction) => sell === share || buy === share;

/**
 * Sum of the contract's own roundings, in bought units: it divides by the amplification before it multiplies by its
 * thousand, loses a unit of either token, and counts ratios of shares in 18 decimals.
 */
function lostOf(state: ComposableStableState, direction: Direction): number {
  const { buy } = direction;
  const shares = Number(state.totalSupply - (state.balances[state.share] ?? 0n));
  const digits = 4_000 + (isOfShare(state, direction) ? (8 * shares) / 1e18 : 0);
  const rate = composableStableMath.curve(state, direction, TIME)?.marginalRate(0) ?? 0;
  return 2 + digits * perDigit(state, buy) + 4 * Math.max(rate, perDigit(state, buy));
}

/**
 * Sum of the roundings in sold units, after a sale of `sellAmount`. For trades of shares exact-out also adds the fee to
 * the payment, and exact-in takes it off: the difference is of the order of the fee's square.
 */
function extraOf(state: ComposableStableState, direction: Direction, sellAmount: bigint): bigint {
  const rate = composableStableMath.curve(state, direction, TIME)?.marginalRate(Number(sellAmount)) ?? 1;
  const back = { sell: direction.buy, buy: direction.sell };
  const ofFee = isOfShare(state, direction) ? (sellAmount * state.swapFee ** 2n) / ONE ** 2n : 0n;
  return ofFee + BigInt(Math.ceil(lostOf(state, back) + (2 * lostOf(state, direction)) / rate));
}

for (const count of [2, 3]) {
  poolContract(`a composable stable pool of ${count} and its share`, {
    ...{ math: composableStableMath, states: pools(count), directions: directionsOf(count + 1) },
    ...{ feeRounding: () => 16n, exactOutEndsEarlier: true },
    roundingOf: lostOf,
    exactOutExtra: extraOf,
    exactOutShort: (state, direction) => BigInt(Math.ceil(2 * lostOf(state, direction))),
  });
}

/** Pools of two tokens without a share among them, whose invariant is rounded up. */
const metaStable = pools(2).map((state): ComposableStableState => {
  const two = <T>([first, second]: readonly T[]) => [first as T, second as T];
  return {
    ...state,
    ...{ balances: two(state.balances), scales: two(state.scales), rates: two(state.rates), exempt: [false, false] },
    ...{ freshRates: two(state.freshRates), oldRates: two(state.rates), expiries: two(state.expiries) },
    ...{ durations: two(state.durations), roundsUp: true, totalSupply: 0n, lastA: 0n, lastInvariant: 0n },
    ...{ protocolSwapFee: 0n, protocolYieldFee: 0n },
  };
});

poolContract("a MetaStable pool", {
  ...{ math: composableStableMath, states: metaStable, directions: directionsOf(2) },
  ...{ feeRounding: () => 16n, exactOutEndsEarlier: true },
  roundingOf: lostOf,
  exactOutExtra: extraOf,
  exactOutShort: (state, direction) => BigInt(Math.ceil(2 * lostOf(state, direction))),
});

const pool: ComposableStableState = {
  ...{ balances: [10n ** 12n, 10n ** 24n, PREMINTED - 2n * 10n ** 24n], share: 2, scales: [10n ** 12n, 1n, 1n] },
  ...{ rates: [ONE, ONE, ONE], expiries: [NEVER, 1_000n, NEVER], durations: [0n, 60n, 0n] },
  ...{ freshRates: [0n, (ONE * 11n) / 10n, 0n], oldRates: [ONE, ONE, ONE], exempt: [false, true, false] },
  ...{ initialA: 100_000n, futureA: 200_000n, initialATime: 1_000n, futureATime: 2_000n, swapFee: 10n ** 14n },
  ...{ totalSupply: PREMINTED, lastA: 100_000n, lastInvariant: 2n * 10n ** 24n },
  ...{ protocolSwapFee: ONE / 2n, protocolYieldFee: ONE / 2n, paused: false },
};
const saleAt = (state: ComposableStableState, time: bigint) =>
  composableStableMath.quoteExactIn(state, { sell: 0, buy: 1 }, 10n ** 10n, time);

test("a remembered value counts until its last second, then the new one does, and is remembered", () => {
  const [before, after] = [saleAt(pool, 1_000n), saleAt(pool, 1_001n)];
  if ("rejected" in before || "rejected" in after) throw new Error("refused");
  expect(before.next.rates[1]).toBe(ONE);
  expect(after.next.rates[1]).toBe((ONE * 11n) / 10n);
  expect(after.next.expiries[1]).toBe(1_061n);
  expect(Number(before.amount) / Number(after.amount)).toBeCloseTo(1.1, 2);
  expect(saleAt({ ...pool, freshRates: [0n, 0n, 0n] }, 1_000n)).toMatchObject({ amount: before.amount });
  expect(saleAt({ ...pool, freshRates: [0n, 0n, 0n] }, 1_001n)).toEqual({ rejected: "NO_LIQUIDITY" });
});

test("a paused pool, an empty one and one that lost its peg serve nobody", () => {
  expect(saleAt({ ...pool, paused: true }, 0n)).toEqual({ rejected: "PAUSED" });
  expect(saleAt({ ...pool, balances: [0n, 10n ** 24n, PREMINTED] }, 0n)).toEqual({ rejected: "NO_LIQUIDITY" });
  expect(saleAt({ ...pool, balances: [10n ** 6n, 10n ** 24n, PREMINTED] }, 0n)).toEqual({ rejected: "NO_LIQUIDITY" });
});

test("whatever became of the values that a pool remembers, nothing throws", () => {
  const wild = fc.constantFrom(1n, ONE / 1_000n, ONE / 10n, ONE, 10n * ONE, 1_000n * ONE, (1n << 96n) - 1n);
  const values = fc.array(wild, { minLength: 4, maxLength: 4 });
  const owed = fc.constantFrom(0n, ONE / 2n, ONE);
  const seen = { served: 0, refused: 0 };
  const states = fc.tuple(pools(3), values, values, owed, fc.constantFrom(0n, 1n, 1n << 100n));
  fc.assert(
    fc.property(
      states,
      fc.constantFrom(...directionsOf(4)),
      ([state, rates, oldRates, part, lastInvariant], direction) => {
        const withShare = (list: readonly bigint[]) => list.with(state.share, ONE);
        // The pool holds as much of everything in value as before: it is the memory that has changed.
        const balances = state.balances.map((balance, i) =>
          i === state.share ? balance : (balance * (state.rates[i] as bigint)) / (rates[i] as bigint),
        );
        const changed: ComposableStableState = {
          ...{ ...state, balances, lastInvariant, rates: withShare(rates), oldRates: withShare(oldRates) },
          ...{ protocolSwapFee: part, protocolYieldFee: part, expiries: state.expiries.map(() => NEVER) },
        };
        const { maxSell, maxBuy } = composableStableMath.limits(changed, direction, TIME);
        composableStableMath.spotPrice(changed, direction, TIME);
        composableStableMath.curve(changed, direction, TIME)?.buyAmountFor(Number(maxSell) / 2);
        const sold = composableStableMath.quoteExactIn(changed, direction, maxSell / 2n + 1n, TIME);
        composableStableMath.quoteExactOut(changed, direction, maxBuy / 2n + 1n, TIME);
        seen["rejected" in sold ? "refused" : "served"]++;
      },
    ),
    { numRuns: 500 },
  );
  expect(Math.min(seen.served, seen.refused)).toBeGreaterThan(50);
});

test("where a token's value fell so far that the protocol would be owed all, shares are not traded and tokens still are", () => {
  const fallen = { ...pool, balances: pool.balances.with(1, 10n ** 25n), rates: pool.rates.with(1, ONE / 10n) };
  for (const share of [0, 1]) {
    for (const direction of [
      { sell: share, buy: 2 },
      { sell: 2, buy: share },
    ]) {
      const { quoteExactIn, quoteExactOut, limits, spotPrice, curve } = composableStableMath;
      for (const quote of [quoteExactIn, quoteExactOut])
        expect(quote(fallen, direction, 10n ** 10n, 900n)).toHaveProperty("rejected");
      expect(limits(fallen, direction, 900n)).toEqual({ maxSell: 0n, maxBuy: 0n });
      expect([spotPrice, curve].map((of) => of(fallen, direction, 900n))).toEqual([undefined, undefined]);
    }
  }
  expect(saleAt(fallen, 900n)).toHaveProperty("amount");
});

test("no more of a token of next to no value is taken than the vault can count in 112 bits", () => {
  const most = (1n << 112n) - 1n;
  const [pool] = fc.sample(pools(2), { numRuns: 1, seed: 5 });
  if (pool === undefined) throw new Error("no pool");
  const worthless: ComposableStableState = {
    ...pool,
    balances: [10n ** 32n, 10n ** 24n, PREMINTED - 2n * 10n ** 24n],
    ...{ scales: [1n, 1n, 1n], rates: [10n ** 9n, ONE, ONE], oldRates: [10n ** 9n, ONE, ONE] },
    ...{ expiries: [NEVER, NEVER, NEVER], lastInvariant: 2n * 10n ** 24n },
  };
  const room = most - (worthless.balances[0] as bigint);
  for (const buy of [1, 2]) {
    const { maxSell, maxBuy } = composableStableMath.limits(worthless, { sell: 0, buy }, TIME);
    expect(maxSell).toBe(room);
    for (const quote of [
      composableStableMath.quoteExactIn(worthless, { sell: 0, buy }, maxSell, TIME),
      composableStableMath.quoteExactOut(worthless, { sell: 0, buy }, maxBuy, TIME),
    ])
      expect("rejected" in quote || (quote.next.balances[0] as bigint) <= most).toBe(true);
  }
});
