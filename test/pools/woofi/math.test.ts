import fc from "fast-check";
import { expect, test } from "vitest";
import type { Direction } from "../../../src/pools/pool-math.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { impossibleWoo } from "../../../src/pools/woofi/impossible.ts";
import { wooMath } from "../../../src/pools/woofi/math.ts";
import type { WooState } from "../../../src/pools/woofi/state.ts";
import { poolContract } from "../../support/suites/pool-contract.ts";
import { directionsOf } from "../curve/directions.ts";
import { wooPools } from "./arbitrary-woofi.ts";

/** Roundings of the worth in the quote token, of the movement and of the payment, in the bought token. */
function roundingOf(state: WooState, { sell, buy }: Direction): number {
  const bought = state.bases[buy - 1];
  const quote = bought === undefined ? 1 : (Number(bought.unit) * 1e8) / Number(bought.price) / Number(state.quoteUnit);
  return 3 + (sell > 0 && buy > 0 ? 3 : 2) * quote;
}

poolContract("WOOFi's pools", {
  ...{ math: wooMath, states: wooPools, directions: directionsOf(4), tradable: 0.5 },
  roundingOf,
  exactOutExtra: () => 0n,
  feeRounding: (state, { sell }) =>
    sell === 0
      ? 1n
      : (state.bases[sell - 1]!.unit * 10n ** 8n * 2n) / (state.bases[sell - 1]!.price * state.quoteUnit) + 1n,
});

const DOLLAR = 10n ** 6n;
const ETHER = 10n ** 18n;
const ether = {
  ...{ unit: ETHER, price: 2_500n * 10n ** 8n, spread: 5n * 10n ** 14n, coeff: 2n * 10n ** 9n, feeRate: 25n },
  ...{ maxGamma: 3n * 10n ** 15n, maxNotional: 1_000_000n * DOLLAR },
};
const plain: WooState = {
  ...{ quoteUnit: DOLLAR, priceUnit: 10n ** 8n, spreads: "halved" },
  reserves: [5_000_000n * DOLLAR, 1_000n * ETHER, 1_000n * ETHER],
  bases: [ether, { ...ether, spread: 10n ** 14n, feeRate: 5n }],
};
const withBase = (change: Partial<WooState["bases"][number]>) => ({
  ...plain,
  bases: [{ ...ether, ...change }, plain.bases[1]!],
});
const sell = (state: WooState, amount: bigint, direction: Direction = { sell: 1, buy: 0 }, time = 0n) =>
  wooMath.quoteExactIn(state, direction, amount, time);

test("a sale pays the price less the spread, the movement and the fee", () => {
  // 10 ether are worth 25,000, less 0.05 % of spread and 0.005 % of movement (2e9 * 25,000 / 1e18), then 0.025 % of fee.
  expect(sell(plain, 10n * ETHER)).toMatchObject({ amount: 24_980_003_438n });
});

test("a price is good to its last second, and none after it", () => {
  const state = withBase({ goodUntil: 1_000n });
  expect(isRejection(sell(state, ETHER, { sell: 1, buy: 0 }, 1_000n))).toBe(false);
  expect(sell(state, ETHER, { sell: 1, buy: 0 }, 1_001n)).toEqual({ rejected: "NO_LIQUIDITY" });
  expect(sell(state, DOLLAR, { sell: 0, buy: 1 }, 1_001n)).toEqual({ rejected: "NO_LIQUIDITY" });
  expect(sell(state, ETHER, { sell: 2, buy: 1 }, 1_001n)).toEqual({ rejected: "NO_LIQUIDITY" });
  expect(wooMath.curve(state, { sell: 1, buy: 0 }, 1_001n)).toBeUndefined();
  expect(wooMath.spotPrice(state, { sell: 1, buy: 0 }, 1_001n)).toBeUndefined();
  // The other token's price is another one.
  expect(isRejection(sell(state, ETHER, { sell: 2, buy: 0 }, 1_001n))).toBe(false);
});

test("a trade is worth and moves no more than the token's terms allow, either way", () => {
  const mostOf = (state: WooState, direction: Direction) => wooMath.limits(state, direction, 0n).maxSell;
  expect(mostOf(plain, { sell: 1, buy: 0 })).toBe(400n * ETHER + 4n * 10n ** 8n - 1n);
  const narrow = withBase({ maxGamma: 10n ** 14n });
  // 1e14 / 2e9 is a worth of 50,000, before which the fee is taken.
  expect(Number(mostOf(narrow, { sell: 1, buy: 0 })) / 1e18).toBeCloseTo(20, 6);
  expect(Number(mostOf(narrow, { sell: 0, buy: 1 })) / 1e6).toBeCloseTo(50_000 / 0.99975, 3);
  expect(Number(mostOf(narrow, { sell: 2, buy: 1 })) / 1e18).toBeLessThan(20.1);
});

test("no more is paid than the reserves hold, fees of trades between base tokens too", () => {
  const poor = { ...plain, reserves: [1_000n * DOLLAR, ETHER, ETHER] };
  for (const direction of directionsOf(3)) {
    const { maxSell } = wooMath.limits(poor, direction, 0n);
    const quote = sell(poor, maxSell, direction);
    if (isRejection(quote)) throw new Error(quote.rejected);
    expect(quote.next.reserves.every((reserve) => reserve >= 0n)).toBe(true);
    expect(Number(quote.amount)).toBeLessThanOrEqual(Number(poor.reserves[direction.buy]));
  }
  const broke = { ...plain, reserves: [0n, ETHER, ETHER] };
  expect(wooMath.limits(broke, { sell: 1, buy: 2 }, 0n).maxSell).toBeLessThan(ETHER / 10n ** 5n);
});

test("two base tokens have half of the larger spread and the larger fee, or each its own spread", () => {
  const [halved, own] = [plain, { ...plain, spreads: "own" as const }].map((state) =>
    sell(state, ETHER, { sell: 1, buy: 2 }),
  );
  if (halved === undefined || isRejection(halved) || own === undefined || isRejection(own)) throw new Error("refused");
  // (1 - 0.0005 / 2)² against (1 - 0.0005) (1 - 0.0001), each less 0.025 % of fee and what the trade moves.
  expect(Number(halved.amount) / 1e18).toBeCloseTo((1 - 0.00025) ** 2 * (1 - 0.00025) * (1 - 5e-6) ** 2, 8);
  expect(Number(own.amount) / 1e18).toBeCloseTo((1 - 0.0005) * (1 - 0.0001) * (1 - 0.00025) * (1 - 5e-6) ** 2, 8);
});

test("base tokens are not traded for each other while nothing tells their spreads", () => {
  const state: WooState = { ...plain, spreads: "unknown" };
  expect(sell(state, ETHER, { sell: 1, buy: 2 })).toEqual({ rejected: "NO_LIQUIDITY" });
  expect(sell(state, ETHER)).toEqual({ ...sell(plain, ETHER), next: expect.anything() });
});

test("tokens that were traded wait for the oracle, others are traded on", () => {
  const quote = sell(plain, ETHER);
  if (isRejection(quote)) throw new Error(quote.rejected);
  expect(sell(quote.next, ETHER)).toEqual({ rejected: "NO_LIQUIDITY" });
  expect(sell(quote.next, ETHER, { sell: 2, buy: 1 })).toEqual({ rejected: "NO_LIQUIDITY" });
  expect(isRejection(sell(quote.next, ETHER, { sell: 2, buy: 0 }))).toBe(false);
});

test("states that pools can have are possible, others not", () => {
  fc.assert(
    fc.property(wooPools, (state) => {
      expect(impossibleWoo(state)).toBeUndefined();
    }),
  );
  expect(impossibleWoo({ ...plain, bases: [] })).toMatch(/^bases/);
  expect(impossibleWoo({ ...plain, reserves: [1n] })).toMatch(/^bases/);
  expect(impossibleWoo({ ...plain, quoteUnit: 0n })).toMatch(/^units/);
  expect(impossibleWoo(withBase({ unit: 10n ** 20n }))).toMatch(/^units/);
  expect(impossibleWoo(withBase({ feeRate: 10n ** 5n }))).toMatch(/^bases/);
  expect(impossibleWoo(withBase({ coeff: 1n << 64n }))).toMatch(/^bases/);
});
