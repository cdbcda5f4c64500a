import fc from "fast-check";
import { expect, test } from "vitest";
import { impossibleFluid } from "../../../src/pools/fluid/impossible.ts";
import { fluidMath } from "../../../src/pools/fluid/math.ts";
import { collateralReserves } from "../../../src/pools/fluid/reserves.ts";
import type { FluidState } from "../../../src/pools/fluid/state.ts";
import { type Direction, isRejection } from "../../../src/pools/pool-math.ts";
import { poolContract } from "../../support/suites/pool-contract.ts";
import { directionsOf } from "../curve/directions.ts";
import { fluidPools, rangeAround } from "./arbitrary-fluid.ts";

const TOKEN = 10n ** 18n;
const PRICE_ONE = 10n ** 27n;

/** One of twelve decimals in base units of a token, at least one. */
const unitOf = ({ up, down }: FluidState, token: number) => Number(down[token]) / Number(up[token]);

/** Largest sum of roundings in twelve decimals and in base units, in the bought token. */
function lostOf(state: FluidState, direction: Direction): number {
  const rate = fluidMath.curve(state, direction, 0n)?.marginalRate(0) ?? 0;
  const [sold, bought] = [direction.sell, direction.buy].map((token) => Math.max(1, unitOf(state, token)));
  return 4 * bought! + 4 * rate * sold!;
}

/**
 * Difference between the sides' shares of an exact output and of the sale that brings it: both leave the fee out of
 * account, each on its own side.
 */
function sharedOtherwise(state: FluidState, { buy }: Direction): number {
  const held = [state.collateral, state.debt].map((side) => Number(side?.imaginary[buy] ?? 0));
  return Math.max(...held) * unitOf(state, buy) * 1e-3 * (Number(state.fee) / 1e6) ** 2;
}

poolContract("Fluid's pools", {
  ...{ math: fluidMath, states: fluidPools, directions: directionsOf(2), tradable: 0.3 },
  roundingOf: lostOf,
  feeRounding: () => 0n,
  exactOutEndsEarlier: true,
  exactOutExtra: (state, { sell, buy }) => BigInt(Math.ceil(2 * lostOf(state, { sell: buy, buy: sell }))),
  exactOutShort: (state, direction) =>
    BigInt(Math.ceil(4 * lostOf(state, direction) + sharedOtherwise(state, direction))),
});

const supplies = [1_000_000n * 10n ** 12n, 1_000_000n * 10n ** 12n] as const;
const plain: FluidState = {
  ...{ up: [1n, 1n], down: [10n ** 6n, 10n ** 6n], fee: 100n, revenueCut: 10n, centerPrice: PRICE_ONE },
  lastPrices: [PRICE_ONE],
  collateral: collateralReserves(rangeAround(PRICE_ONE, 200_000n, 200_000n), supplies)!,
  ...{ withdrawable: [10n ** 30n, 10n ** 30n], borrowable: [0n, 0n], owed: [0n, 0n] },
  ...{ supplied: [10n ** 28n, 10n ** 28n], borrowed: [0n, 0n] },
  ...{ mostUtilized: [10_000n, 10_000n], mostBorrowed: [10_000n, 10_000n] },
};
const sell = (state: FluidState, amount: bigint) => fluidMath.quoteExactIn(state, { sell: 0, buy: 1 }, amount, 0n);
const mostSold = (state: FluidState) => fluidMath.limits(state, { sell: 0, buy: 1 }, 0n).maxSell;

test("a swap moves the price by 5 % at the most, and less where it is off already", () => {
  const most = mostSold(plain);
  expect(most).toBeGreaterThan(100_000n * TOKEN);
  expect(sell(plain, most + 1n)).toEqual({ rejected: "TOO_LARGE", most });
  const moved = { ...plain, lastPrices: [PRICE_ONE, (PRICE_ONE * 103n) / 100n] };
  expect(mostSold(moved)).toBeLessThan(most / 2n);
});

test("what may be withdrawn, and what may be used of a token, bounds what is paid", () => {
  const limited = { ...plain, withdrawable: [TOKEN, 5n * TOKEN] as const };
  const most = mostSold(limited);
  expect(Number(most) / Number(5n * TOKEN)).toBeCloseTo(1.0001, 4);
  const used = { ...plain, supplied: [10n ** 28n, 100n * TOKEN] as const, borrowed: [0n, 90n * TOKEN] as const };
  expect(Number(mostSold(used)) / Number(10n * TOKEN)).toBeCloseTo(1.0001, 4);
  const capped = { ...used, mostUtilized: [10_000n, 9_500n] as const };
  expect(Number(mostSold(capped)) / ((100 - 90 / 0.95) * Number(TOKEN))).toBeCloseTo(1.0001, 4);
});

test("less than a millionth of a token is not traded, and the least is told", () => {
  expect(sell(plain, 10n ** 12n - 1n)).toEqual({
    rejected: "TOO_SMALL",
    least: { of: "sold", amount: 10n ** 12n },
  });
  // Its output would be too little to ask for.
  expect(sell(plain, 10n ** 12n)).toEqual({ rejected: "TOO_SMALL", least: { of: "bought", amount: 10n ** 12n } });
  expect(isRejection(sell(plain, 2n * 10n ** 12n))).toBe(false);
});

test("a pool is traded once", () => {
  const quote = sell(plain, TOKEN);
  if (isRejection(quote)) throw new Error(quote.rejected);
  expect(sell(quote.next, TOKEN)).toEqual({ rejected: "NO_LIQUIDITY" });
});

test("states that pools can have are possible, others not", () => {
  fc.assert(
    fc.property(fluidPools, (state) => {
      expect(impossibleFluid(state)).toBeUndefined();
    }),
  );
  const { collateral: _, ...none } = plain;
  expect(impossibleFluid(none)).toBe("neither collateral nor debt");
  expect(impossibleFluid({ ...plain, fee: 10n ** 6n })).toMatch(/^fee/);
  expect(impossibleFluid({ ...plain, up: [0n, 1n] })).toMatch(/^up/);
  expect(impossibleFluid({ ...plain, lastPrices: [] })).toMatch(/^centerPrice/);
  expect(impossibleFluid({ ...plain, debt: { real: [0n, 0n], imaginary: [0n, 1n] } })).toMatch(/^reserves/);
});
