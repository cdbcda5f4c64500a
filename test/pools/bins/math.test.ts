import { describe, expect, test } from "vitest";
import { bins as curve } from "../../../src/pools/bins/bins.ts";
import { binsMath } from "../../../src/pools/bins/math.ts";
import { priceOf } from "../../../src/pools/bins/price.ts";
import type { BinsState } from "../../../src/pools/bins/state.ts";
import { type Direction, isRejection } from "../../../src/pools/pool-math.ts";
import { poolContract } from "../../support/suites/pool-contract.ts";
import { arbitraryBins } from "./arbitrary-bins.ts";

const X_FOR_Y = { sell: 0, buy: 1 };
const Y_FOR_X = { sell: 1, buy: 0 };
const NOW = 1_700_000_000n;
const MIDDLE = 1 << 23;

/** Best value of one sold base unit in the other token. */
function unitOf(state: BinsState, direction: Direction): number {
  const spot = binsMath.spotPrice(state, direction, NOW);
  return spot === undefined ? 0 : Number((spot.num * 10n ** 18n) / spot.den) / 1e18;
}

poolContract("a pool of bins", {
  math: binsMath,
  states: arbitraryBins,
  directions: [X_FOR_Y, Y_FOR_X],
  exactOutExtra: () => 0n,
  // Every bin may round up what it costs, twice.
  roundingOf: (state, direction) => (2 + 2 * unitOf(state, direction)) * (1 + state.bins.length),
  feeFalls: true,
  tradable: 0.3,
});

/** Three bins of one step of 1 % around a price of one: Y below, both in the middle, X above. */
const pair: BinsState = {
  ...{ binStep: 100, activeId: MIDDLE },
  bins: [
    { id: MIDDLE - 1, reserveX: 0n, reserveY: 1_000_000n },
    { id: MIDDLE, reserveX: 500_000n, reserveY: 500_000n },
    { id: MIDDLE + 1, reserveX: 1_000_000n, reserveY: 0n },
  ],
  fee: {
    ...{ baseFactor: 8_000, filterPeriod: 300, decayPeriod: 1_200, reductionFactor: 5_000 },
    ...{ variableFeeControl: 7_500, protocolShare: 2_500, maxVolatilityAccumulator: 150_000 },
    ...{ volatilityAccumulator: 80_000, volatilityReference: 60_000, idReference: MIDDLE - 2 },
    timeOfLastUpdate: NOW,
  },
};

const sold = (state: BinsState, direction: Direction, amount: bigint, time: bigint) => {
  const quote = binsMath.quoteExactIn(state, direction, amount, time);
  if (isRejection(quote)) throw new Error(quote.rejected);
  return quote;
};

describe("prices", () => {
  test("are one in the middle, and a step of the one before everywhere", () => {
    expect(priceOf(100, MIDDLE)).toBe(1n << 128n);
    for (const away of [-5_000, -1, 0, 1, 5_000]) {
      const [one, next] = [priceOf(25, MIDDLE + away), priceOf(25, MIDDLE + away + 1)] as [bigint, bigint];
      expect(Number((next * 10n ** 18n) / one) / 1e18).toBeCloseTo(1.0025, 12);
    }
  });

  test("end where the contract has none", () => {
    expect(priceOf(100, MIDDLE + 0x100000)).toBeUndefined();
    expect(priceOf(100, MIDDLE - 0x100000)).toBeUndefined();
    // Too many steps down, and nothing is left of 128 bits.
    expect(priceOf(100, MIDDLE - 9_000)).toBeUndefined();
    expect(priceOf(1, MIDDLE + 0x80000)).toBeDefined();
  });
});

describe("the fee", () => {
  test("counts from the same bin within the filter's period, from half of it until it has decayed, then from nothing", () => {
    const paid = (after: bigint) => sold(pair, X_FOR_Y, 100_000n, NOW + after).amount;
    const fees = [0n, 299n, 300n, 1_199n, 1_200n].map((after) => 100_000n - paid(after));
    // 0.8 % and 0.75 % of the square of 8, 4 and no bins.
    expect(fees).toEqual([1_280n, 1_280n, 920n, 920n, 800n]);
  });

  test("is the same for two swaps in one block as for one, but for rounding", () => {
    const first = sold(pair, Y_FOR_X, 400_000n, NOW);
    const second = sold(first.next, Y_FOR_X, 400_000n, NOW);
    const both = sold(pair, Y_FOR_X, 800_000n, NOW);
    expect(both.amount - first.amount - second.amount).toBeLessThanOrEqual(2n);
    expect(second.next.fee).toEqual(both.next.fee);
  });

  test("of a swap in the past, and one that no contract takes, is none", () => {
    expect(binsMath.quoteExactIn(pair, X_FOR_Y, 1_000n, NOW - 1n)).toEqual({ rejected: "NO_LIQUIDITY" });
    expect(binsMath.curve(pair, X_FOR_Y, NOW - 1n)).toBeUndefined();
    const dear = { ...pair, fee: { ...pair.fee, variableFeeControl: 2 ** 24 - 1 } };
    expect(binsMath.quoteExactIn(dear, X_FOR_Y, 1_000n, NOW)).toEqual({ rejected: "NO_LIQUIDITY" });
    expect(binsMath.quoteExactOut(dear, X_FOR_Y, 1_000n, NOW)).toEqual({ rejected: "NO_LIQUIDITY" });
    expect(binsMath.spotPrice(dear, X_FOR_Y, NOW)).toBeUndefined();
  });

  test("that falls on the way makes a later bin better, and the curve says so", () => {
    const falling: BinsState = {
      ...pair,
      binStep: 1,
      bins: [-3, -2, -1, 0].map((offset) => ({ id: MIDDLE + offset, reserveX: 0n, reserveY: 10n ** 9n })),
      fee: { ...pair.fee, variableFeeControl: 2 ** 24 - 1, volatilityReference: 0, idReference: MIDDLE - 15 },
    };
    const view = binsMath.curve(falling, X_FOR_Y, NOW);
    if (view === undefined) throw new Error("no curve");
    expect(view.concave).toBe(false);
    expect(view.marginalRate(3.5e9)).toBeGreaterThan(view.marginalRate(0));
    expect(view.ceiling?.concave).toBe(true);
  });
});

test("gas grows with the bins that are traded in, with an exact output and with hooks", () => {
  const gasOf = (amount: bigint) => sold(pair, X_FOR_Y, amount, NOW).gas;
  expect(gasOf(1_000_000n)).toBeGreaterThan(gasOf(1_000n));
  const bought = binsMath.quoteExactOut(pair, X_FOR_Y, 1_000n, NOW);
  expect("gas" in bought && bought.gas).toBeGreaterThan(gasOf(1_000n));
  expect(sold({ ...pair, hooked: true }, X_FOR_Y, 1_000n, NOW).gas).toBeGreaterThan(gasOf(1_000n));
  const view = binsMath.curve(pair, X_FOR_Y, NOW)!;
  expect([1_000, 1_000_000].map((amount) => view.gasFor?.(amount))).toEqual(
    [gasOf(1_000n), gasOf(1_000_000n)].map(Number),
  );
});

test("a bin that is fuller than a contract allows ends the way", () => {
  const full = { ...pair, bins: [{ id: MIDDLE, reserveX: 0n, reserveY: 1n << 110n }] };
  expect(binsMath.quoteExactIn(full, X_FOR_Y, 1_000n, NOW)).toEqual({ rejected: "NO_LIQUIDITY" });
});

test("states that no contract can be in are told", () => {
  expect(curve.impossible(pair)).toBeUndefined();
  expect(curve.impossible({ ...pair, binStep: 0 })).toMatch(/price/);
  expect(curve.impossible({ ...pair, activeId: 0 })).toMatch(/price/);
  expect(curve.impossible({ ...pair, bins: [{ id: MIDDLE, reserveX: 0n, reserveY: 0n }] })).toMatch(/nothing/);
  for (const change of [{ filterPeriod: 1_201 }, { reductionFactor: 10_001 }, { volatilityReference: 2 ** 20 }])
    expect(curve.impossible({ ...pair, fee: { ...pair.fee, ...change } })).toMatch(/fee/);
});

test("an amount that a swap would bring more than is not sold exactly: where a base unit sold is worth several bought", () => {
  const dear: BinsState = {
    ...pair,
    activeId: MIDDLE + 700,
    bins: [{ id: MIDDLE + 700, reserveX: 10n ** 9n, reserveY: 10n ** 9n }],
  };
  const bought = (direction: Direction, amount: bigint) =>
    binsMath.quoteExactOut(dear, direction, amount, NOW + 2_000n);
  // About a thousand Y for one X.
  expect(bought(X_FOR_Y, 1_500n)).toEqual({ rejected: "UNSUPPORTED" });
  expect(bought(X_FOR_Y, 10n ** 9n)).toHaveProperty("amount");
  expect(bought(X_FOR_Y, 10n ** 9n + 1n)).toEqual({ rejected: "TOO_LARGE", most: 10n ** 9n });
  for (const amount of [1n, 1_500n, 777_777n]) expect(bought(Y_FOR_X, amount)).toHaveProperty("amount");
});

test("a swap is asked to trade in no more bins than a block has gas for", () => {
  const long = Array.from({ length: 300 }, (_, i) => ({ id: MIDDLE - 299 + i, reserveX: 0n, reserveY: 1_000n }));
  const row: BinsState = { ...pair, binStep: 1, bins: long };
  const { maxSell, maxBuy } = binsMath.limits(row, X_FOR_Y, NOW);
  expect(maxBuy).toBe(256_000n);
  expect(sold(row, X_FOR_Y, maxSell, NOW).amount).toBe(maxBuy);
  expect(binsMath.quoteExactIn(row, X_FOR_Y, maxSell + 1n, NOW)).toEqual({ rejected: "TOO_LARGE", most: maxSell });
  expect(binsMath.curve(row, X_FOR_Y, NOW)!.buyAmountFor(1e9)).toBeCloseTo(256_000, 6);
});
