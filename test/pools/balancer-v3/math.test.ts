import fc from "fast-check";
import { expect, test } from "vitest";
import { balancerV3Math } from "../../../src/pools/balancer-v3/math.ts";
import type { BalancerV3State } from "../../../src/pools/balancer-v3/state.ts";
import type { Direction } from "../../../src/pools/pool-math.ts";
import { poolContract } from "../../support/suites/pool-contract.ts";
import { directionsOf } from "../curve/directions.ts";
import { balancerV3Pools } from "./arbitrary-balancer-v3.ts";

const ONE = 10n ** 18n;
const TIME = 1_700_000_000n;

/** Base units of a token in one of 18 decimals of the common value. */
const perDigit = (state: BalancerV3State, index: number) =>
  1e18 / Number((state.scales[index] as bigint) * (state.rates[index] as bigint));

/**
 * Sum of the contracts' own roundings, in bought units: the error that powers are given, the digits that a stable pool
 * loses, a unit of either token, and the rate that is counted one higher.
 */
function lostOf(state: BalancerV3State, direction: Direction): number {
  const { sell, buy } = direction;
  const held = Number(state.balances[buy]);
  const rate = balancerV3Math.curve(state, direction, TIME)?.marginalRate(0) ?? 0;
  const digits = state.kind === "stable" ? 64 * perDigit(state, buy) : held * 2e-14;
  return 3 + digits + held * 1e-17 + 4 * rate * Math.max(1, perDigit(state, sell));
}

/** Sum of the contracts' roundings in sold units, after a sale of `sellAmount`. */
function extraOf(state: BalancerV3State, direction: Direction, sellAmount: bigint): bigint {
  const rate = balancerV3Math.curve(state, direction, TIME)?.marginalRate(Number(sellAmount)) ?? 1;
  const back = { sell: direction.buy, buy: direction.sell };
  return BigInt(Math.ceil(8 * lostOf(state, back) + (4 * lostOf(state, direction)) / rate));
}

for (const kind of ["weighted", "stable"] as const) {
  for (const count of [2, 3]) {
    poolContract(`Balancer V3's ${kind} pool of ${count}`, {
      ...{ math: balancerV3Math, states: balancerV3Pools(kind, count), directions: directionsOf(count), tradable: 0.3 },
      ...{ feeRounding: () => 16n, exactOutEndsEarlier: true },
      roundingOf: lostOf,
      exactOutExtra: extraOf,
      exactOutShort: (state, direction) => BigInt(Math.ceil(4 * lostOf(state, direction))),
    });
  }
}

const pool: BalancerV3State = {
  ...{ kind: "stable", balances: [10n ** 12n, 10n ** 24n], scales: [10n ** 12n, 1n], rates: [ONE, (ONE * 11n) / 10n] },
  ...{ swapFee: 10n ** 14n, aggregateFee: ONE / 2n, minTrade: 10n ** 6n, weights: [0n, 0n], minBalances: [0n, 0n] },
  ...{ initialA: 100_000n, futureA: 200_000n, initialATime: 1_000n, futureATime: 2_000n, paused: false },
};
const sold = (state: BalancerV3State, amount: bigint) =>
  balancerV3Math.quoteExactIn(state, { sell: 0, buy: 1 }, amount, 0n);

test("a paused pool, an empty one and one that lost its peg serve nobody", () => {
  expect(sold({ ...pool, paused: true }, 10n ** 6n)).toEqual({ rejected: "PAUSED" });
  expect(sold({ ...pool, balances: [0n, 10n ** 24n] }, 10n ** 6n)).toEqual({ rejected: "NO_LIQUIDITY" });
  expect(sold({ ...pool, balances: [10n ** 6n, 10n ** 24n] }, 10n ** 6n)).toEqual({ rejected: "NO_LIQUIDITY" });
});

test("of the fee, the protocol's part leaves the pool", () => {
  const quote = sold(pool, 10n ** 10n);
  if ("rejected" in quote) throw new Error("refused");
  expect(quote.next.balances[0]).toBe(10n ** 12n + 10n ** 10n - 10n ** 6n / 2n);
});

test("no more of a token of next to no value is taken than the vault can count in 128 bits", () => {
  // The vault itself refuses its largest amount: 380101348032762022855002259000000000000 are more than 2^128.
  const state: BalancerV3State = {
    ...{ kind: "stable", swapFee: 10n ** 12n, aggregateFee: ONE / 2n, minTrade: 10n ** 6n, paused: false },
    balances: [
      1325240311797561125285095060280344576n,
      183035213680231n,
      18349172189959208914928725693087n,
      138797324282679428732089870n,
    ],
    rates: [1n, ONE, 12682550559529n, ONE],
    scales: [10n ** 6n, 10n ** 12n, 1n, 1n],
    weights: [0n, 0n, 0n, 0n],
    minBalances: [0n, 0n, 0n, 0n],
    ...{ initialA: 1_000n, futureA: 1_000n, initialATime: TIME - 1_000n, futureATime: TIME - 1_000n },
  };
  const direction = { sell: 0, buy: 2 };
  const dear = balancerV3Math.quoteExactOut(state, direction, 18305263488755697772949205727691n, TIME);
  expect("rejected" in dear).toBe(true);
  const { maxSell } = balancerV3Math.limits(state, direction, TIME);
  expect(maxSell).toBe((1n << 128n) - 1n - (state.balances[0] as bigint));
  const largest = balancerV3Math.quoteExactIn(state, direction, maxSell, TIME);
  expect("rejected" in largest || largest.next.balances.every((balance) => balance < 1n << 128n)).toBe(true);
});

test("a pool of the first version counts the sold token's balance as it is, not one higher", () => {
  fc.assert(
    fc.property(
      balancerV3Pools("weighted", 2),
      fc.integer({ min: 1, max: 900 }),
      fc.boolean(),
      (pool, part, exactIn) => {
        const plain = { ...pool, scales: [1n, 1n], rates: [ONE, ONE] };
        const first: BalancerV3State = { ...plain, firstVersion: true };
        const [held = 0n, bought = 0n] = plain.balances;
        const newest = { ...plain, balances: [held - 1n, bought] };
        const amount = ((exactIn ? held : bought) * BigInt(part)) / 4_000n;
        const quote = exactIn ? balancerV3Math.quoteExactIn : balancerV3Math.quoteExactOut;
        const direction = { sell: 0, buy: 1 };
        const amountOf = (state: BalancerV3State) => {
          const answer = quote(state, direction, amount, TIME);
          return "amount" in answer ? answer.amount : answer.rejected;
        };
        expect(amountOf(first)).toBe(amountOf(newest));
      },
    ),
  );
});
