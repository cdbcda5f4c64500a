import fc from "fast-check";
import { expect, test } from "vitest";
import { impossibleMaverick } from "../../../src/pools/maverick/impossible.ts";
import { maverickMath } from "../../../src/pools/maverick/math.ts";
import { ONE, priced, sqrtPriceAt } from "../../../src/pools/maverick/price.ts";
import type { MaverickState } from "../../../src/pools/maverick/state.ts";
import { ticksAhead } from "../../../src/pools/maverick/swap.ts";
import { type Direction, isRejection } from "../../../src/pools/pool-math.ts";
import { poolContract } from "../../support/suites/pool-contract.ts";
import { directionsOf } from "../curve/directions.ts";
import { maverickPools } from "./arbitrary-maverick.ts";

const [A_IN, B_IN] = [
  { sell: 0, buy: 1 },
  { sell: 1, buy: 0 },
] as const;

/** Base units of what is bought for one of what is sold, at the price of the first tick that pays. */
function rateOf(state: MaverickState, direction: Direction): number {
  const spot = maverickMath.spotPrice(state, direction, 0n);
  return spot === undefined ? 0 : Number(spot.num) / Number(spot.den);
}

/** Part of an amount that the digits of prices, and of liquidity over a tick's width, leave open. */
function part(state: MaverickState, { sell }: Direction): number {
  const roots = ticksAhead(state, sell === 0).map(({ index }) => Number(sqrtPriceAt(state.tickSpacing, index)));
  const coarsest = Math.max(...roots.flatMap((root) => [root, 1e36 / root])) / 1e36;
  return 1e-9 + (4 * coarsest * 1e5) / state.tickSpacing;
}

function roundingOf(state: MaverickState, direction: Direction): number {
  const scale = Number(state.scales[direction.buy as 0 | 1]);
  return 2 + rateOf(state, direction) + (16 * ticksAhead(state, direction.sell === 0).length) / scale;
}

/** Base units sold that the roundings of each tick take, and one for each base unit bought. */
function extra(state: MaverickState, direction: Direction, sellAmount: bigint): bigint {
  const rate = rateOf(state, direction);
  return BigInt(Math.ceil(4 + 4 / Math.max(rate, 1e-30) + Number(sellAmount) * part(state, direction)));
}

poolContract("Maverick V2's pools", {
  ...{ math: maverickMath, states: maverickPools, directions: directionsOf(2), tradable: 0.5 },
  roundingOf: (state, direction, amount) =>
    roundingOf(state, direction) + Number(amount) * rateOf(state, direction) * part(state, direction),
  exactOutExtra: extra,
  exactOutShort: (state, direction) => {
    const { maxBuy } = maverickMath.limits(state, direction, 0n);
    return BigInt(Math.ceil(roundingOf(state, direction) + Number(maxBuy) * part(state, direction)));
  },
  roundTripExtra: (state, direction) => extra(state, direction, 0n),
  feeRounding: (state, direction) => extra(state, direction, 0n),
});

const plain: MaverickState = {
  ...{ tickSpacing: 10, activeTick: 0, fees: [10n ** 15n, 2n * 10n ** 15n], protocolPart: 0, scales: [1n, 1n] },
  ticks: [
    { index: -3, reserveA: 500n * ONE, reserveB: 0n },
    { index: 0, reserveA: 100n * ONE, reserveB: 300n * ONE },
    { index: 2, reserveA: 0n, reserveB: 700n * ONE },
  ],
};
const sold = (state: MaverickState, direction: Direction, amount: bigint) => {
  const quote = maverickMath.quoteExactIn(state, direction, amount, 0n);
  if (isRejection(quote)) throw new Error(quote.rejected);
  return quote;
};

/** Figures of BNB Smart Chain at block 107545336, as eco-incorp/sauce-sdk 987df201 has them: a pool, and its quoter's answers. */
test("a swap over several ticks pays what the makers' quoter said of a real pool", () => {
  const reserves: readonly (readonly [number, bigint, bigint])[] = [
    [0, 4154928890460804991693n, 0n],
    [1, 4154511904121757035142n, 0n],
    [2, 104633415931097332693n, 0n],
    [3, 105147960908783226885n, 0n],
    [4, 104763320163926426825n, 0n],
    [5, 104504884786483351536n, 0n],
    [6, 181395392767571334314n, 0n],
    [7, 53470456904544862745n, 50787880546090343717n],
    [8, 0n, 103457901796025476189n],
  ];
  const real: MaverickState = {
    ...{ tickSpacing: 1, activeTick: 7, fees: [10n ** 13n, 10n ** 13n], protocolPart: 0, scales: [1n, 1n] },
    ticks: reserves.map(([index, reserveA, reserveB]) => ({ index, reserveA, reserveB })),
  };
  for (const [amount, paid] of [
    [100n * ONE, 100069792355645240609n],
    [1_000n * ONE, 1000382022226308903686n],
    [5_000n * ONE, 5000916083638721367629n],
  ] as const)
    expect(sold(real, B_IN, amount).amount).toBe(paid);
});

test("a swap passes ticks without reserves, and ends where nothing is known of further ones", () => {
  const { maxSell, maxBuy } = maverickMath.limits(plain, A_IN, 0n);
  expect(maxBuy).toBe(1_000n * ONE);
  const all = sold(plain, A_IN, maxSell);
  expect(all.next).toMatchObject({ activeTick: 2 });
  expect(all.next.ticks.map(({ reserveB }) => reserveB / 10n ** 6n)).toEqual([0n, 0n, 0n]);
  expect(all.gas).toBeGreaterThan(sold(plain, A_IN, ONE).gas);
  expect(maverickMath.quoteExactIn(plain, A_IN, maxSell + 1n, 0n)).toEqual({ rejected: "TOO_LARGE", most: maxSell });
  expect(isRejection(maverickMath.quoteExactIn(all.next, A_IN, ONE, 0n))).toBe(true);
});

test("each direction has its fee, which stays in the ticks but for the protocol's part", () => {
  const amount = 10n * ONE;
  const [whole, cut] = [sold(plain, A_IN, amount), sold({ ...plain, protocolPart: 250 }, A_IN, amount)];
  expect(cut.amount).toBe(whole.amount);
  const heldA = ({ next }: typeof whole) => next.ticks[1]!.reserveA;
  expect(heldA(whole) - 100n * ONE).toBe(amount);
  expect(heldA(whole) - heldA(cut)).toBe(amount / 1_000n / 4n);
  expect(rateOf({ ...plain, fees: [0n, 0n] }, B_IN) / rateOf(plain, B_IN)).toBeCloseTo(1 / 0.998, 12);
});

test("a pool with bins that move is traded once: where they are then, nobody knows", () => {
  const once = sold({ ...plain, movable: true }, A_IN, ONE);
  expect(once.amount).toBe(sold(plain, A_IN, ONE).amount);
  for (const direction of [A_IN, B_IN]) {
    expect(maverickMath.quoteExactIn(once.next, direction, ONE, 0n)).toEqual({ rejected: "NO_LIQUIDITY" });
    expect(maverickMath.quoteExactOut(once.next, direction, ONE, 0n)).toEqual({ rejected: "NO_LIQUIDITY" });
    expect(maverickMath.curve(once.next, direction, 0n)).toBeUndefined();
  }
});

test("the float view ends within a tick that costs more than a pool is asked to move", () => {
  const dear: MaverickState = {
    ...{ ...plain, tickSpacing: 1_000, activeTick: -10, fees: [0n, 10n ** 15n] },
    ticks: [
      { index: -20, reserveA: (1n << 120n) - 1n, reserveB: 0n },
      { index: -10, reserveA: 10n ** 30n, reserveB: 0n },
    ],
  };
  const curve = maverickMath.curve(dear, B_IN, 0n)!;
  const { maxSell } = maverickMath.limits(dear, B_IN, 0n);
  expect(maxSell).toBe(1n << 120n);
  expect(curve.maxSell).toBe(Number(maxSell));
  for (const amount of [maxSell / 1_000_000n, maxSell / 3n, maxSell]) {
    const paid = Number(sold(dear, B_IN, amount).amount);
    expect(curve.buyAmountFor(Number(amount)) / paid).toBeCloseTo(1, 6);
  }
  expect(curve.sellAmountAtRate(curve.marginalRate(curve.maxSell) * 0.999)).toBe(curve.maxSell);
});

test("prices end where the contract's do", () => {
  expect(sqrtPriceAt(10, 0)).toBe(ONE);
  expect(sqrtPriceAt(1, 322_378)).toBeGreaterThan(9n * 10n ** 24n);
  expect(sqrtPriceAt(1, 322_379)).toBeUndefined();
  expect(priced(10_000, { index: 32, reserveA: 1n, reserveB: 1n })).toBeUndefined();
  const last: MaverickState = {
    ...plain,
    tickSpacing: 10_000,
    activeTick: 32,
    ticks: [{ index: 32, reserveA: 1n, reserveB: ONE }],
  };
  expect(maverickMath.limits(last, A_IN, 0n)).toEqual({ maxSell: 0n, maxBuy: 0n });
});

test("states that pools can have are possible, others not", () => {
  fc.assert(
    fc.property(maverickPools, (state) => {
      expect(impossibleMaverick(state)).toBeUndefined();
    }),
  );
  expect(impossibleMaverick({ ...plain, tickSpacing: 0 })).toMatch(/^tickSpacing/);
  expect(impossibleMaverick({ ...plain, fees: [ONE, 0n] })).toMatch(/^fees/);
  expect(impossibleMaverick({ ...plain, protocolPart: 251 })).toMatch(/^fees/);
  expect(impossibleMaverick({ ...plain, scales: [0n, 1n] })).toMatch(/^scales/);
  expect(impossibleMaverick({ ...plain, scales: [3n, 1n] })).toMatch(/^scales/);
  expect(impossibleMaverick({ ...plain, activeTick: 10 ** 6 })).toMatch(/^activeTick/);
  const full = [{ index: 0, reserveA: 1n << 121n, reserveB: 0n }];
  expect(impossibleMaverick({ ...plain, ticks: full })).toMatch(/^reserves/);
});
