import fc from "fast-check";
import { expect, test } from "vitest";
import { type Direction, isRejection } from "../../../src/pools/pool-math.ts";
import { solidlyMath } from "../../../src/pools/solidly/math.ts";
import type { SolidlyState } from "../../../src/pools/solidly/state.ts";
import { poolContract } from "../../support/suites/pool-contract.ts";
import { amountOfBits } from "../curve/arbitrary.ts";

const directions = [
  { sell: 0, buy: 1 },
  { sell: 1, buy: 0 },
];
const fees = fc.constantFrom(0n, 1n, 5n, 30n, 100n, 300n);
const units = fc.constantFrom(6n, 8n, 18n).map((decimals) => 10n ** decimals);

const volatile: fc.Arbitrary<SolidlyState> = fc
  .record({ reserves: fc.tuple(amountOfBits(112), amountOfBits(112)), feeBps: fees })
  .map(({ reserves, feeBps }) => ({ stable: false, reserves, units: [10n ** 18n, 10n ** 18n], feeBps, paused: false }));

/** Tokens worth from a thousandth of one to ten million, one side up to a thousand times the other. */
const stable: fc.Arbitrary<SolidlyState> = fc
  .record({
    units: fc.tuple(units, units),
    feeBps: fees,
    size: fc.double({ min: -3, max: 7, noNaN: true }),
    skew: fc.double({ min: -3, max: 3, noNaN: true }),
  })
  .map(({ units, feeBps, size, skew }) => {
    const amount = (tokens: number, unit: bigint) => (BigInt(Math.floor(tokens * 1e9)) * unit) / 10n ** 9n;
    const reserves = [amount(10 ** size, units[0]), amount(10 ** (size + skew), units[1])] as const;
    return { stable: true, reserves, units, feeBps, paused: false };
  });

poolContract("Solidly's volatile pool", {
  ...{ math: solidlyMath, states: volatile, directions, tradable: 0.3 },
  exactOutExtra: () => 0n,
  feeRounding: () => 1n,
  roundingOf: (state, direction) => 2 + spot(state, direction),
});

poolContract("Solidly's stable pool", {
  ...{ math: solidlyMath, states: stable, directions, tradable: 0.3 },
  exactOutExtra: () => 0n,
  feeRounding: () => 1n,
  roundingOf: (state, direction) => 2 + spot(state, direction),
});

/** Change in bought units per sold base unit: the fee is rounded down. */
function spot(state: SolidlyState, direction: Direction): number {
  const ratio = solidlyMath.spotPrice(state, direction, 0n);
  return ratio === undefined ? 0 : Number((ratio.num * 10n ** 9n) / ratio.den) / 1e9;
}

const pair: SolidlyState = {
  ...{ stable: true, reserves: [10n ** 12n, 10n ** 24n], units: [10n ** 6n, 10n ** 18n], feeBps: 5n, paused: false },
};
const SELL_FIRST = { sell: 0, buy: 1 };

test("a paused factory stops everything, and an empty pool has nothing", () => {
  const paused = { ...pair, paused: true };
  expect(solidlyMath.quoteExactIn(paused, SELL_FIRST, 1_000n, 0n)).toEqual({ rejected: "PAUSED" });
  expect(solidlyMath.curve(paused, SELL_FIRST, 0n)).toBeUndefined();
  const empty: SolidlyState = { ...pair, reserves: [0n, 0n] };
  expect(solidlyMath.quoteExactIn(empty, SELL_FIRST, 1_000n, 0n)).toEqual({ rejected: "NO_LIQUIDITY" });
  expect(solidlyMath.spotPrice(empty, SELL_FIRST, 0n)).toBeUndefined();
});

test("a stable pool that holds next to nothing is not traded", () => {
  const dust: SolidlyState = { ...pair, reserves: [10n ** 12n, 10n ** 11n] };
  expect(solidlyMath.quoteExactIn(dust, SELL_FIRST, 1_000n, 0n)).toEqual({ rejected: "NO_LIQUIDITY" });
});

test("the fee leaves the pool, so that the reserve grows by what is left", () => {
  const quote = solidlyMath.quoteExactIn(pair, SELL_FIRST, 1_000_000n, 0n);
  expect("next" in quote && quote.next.reserves[0] - pair.reserves[0]).toBe(999_500n);
});

test("what changes the reserves more than half an hour after the last observation makes one, which takes gas", () => {
  const gasAt = (state: SolidlyState, time: bigint) => {
    const quote = solidlyMath.quoteExactIn(state, SELL_FIRST, 1_000_000n, time);
    if (isRejection(quote)) throw new Error(quote.rejected);
    expect(solidlyMath.curve(state, SELL_FIRST, time)?.gas).toBe(Number(quote.gas));
    return { gas: quote.gas, next: quote.next };
  };
  for (const stable of [true, false]) {
    const state = { ...pair, stable, lastObservation: 1_000n };
    const early = gasAt(state, 2_800n);
    const late = gasAt(state, 2_801n);
    expect(late.gas - early.gas).toBe(70_000n);
    expect([early.next.lastObservation, late.next.lastObservation]).toEqual([1_000n, 2_801n]);
    expect(gasAt(late.next, 2_801n).gas).toBe(early.gas);
    const untold = gasAt({ ...pair, stable }, 2_801n);
    expect([untold.gas, "lastObservation" in untold.next]).toEqual([early.gas, false]);
  }
});

test("a pool without a fee transfers none", () => {
  const quotes = [pair, { ...pair, feeBps: 0n }].map((state) =>
    solidlyMath.quoteExactIn(state, SELL_FIRST, 1_000_000n, 0n),
  );
  const [gas, without] = quotes.map((quote) => ("gas" in quote ? quote.gas : 0n));
  expect(gas! - without!).toBe(20_000n);
});

test("a stable pool that holds the most of a token with more than 18 decimals takes none, not less than none", () => {
  const units = [10n ** 24n, 10n ** 18n] as const;
  const full: SolidlyState = { ...pair, stable: true, units, reserves: [(1n << 92n) * 10n ** 6n + 1n, 1n << 92n] };
  expect(solidlyMath.limits(full, SELL_FIRST, 0n)).toEqual({ maxSell: 0n, maxBuy: 0n });
  expect(solidlyMath.quoteExactIn(full, SELL_FIRST, 1n, 0n)).toEqual({ rejected: "NO_LIQUIDITY" });
  expect(solidlyMath.curve(full, SELL_FIRST, 0n)).toBeUndefined();
});
