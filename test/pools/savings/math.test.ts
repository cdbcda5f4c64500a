import fc from "fast-check";
import { expect, test } from "vitest";
import { rateAt } from "../../../src/pools/savings/accrual.ts";
import { ACCRUAL_GAS } from "../../../src/pools/savings/gas.ts";
import { savingsMath } from "../../../src/pools/savings/math.ts";
import { savings } from "../../../src/pools/savings/savings.ts";
import type { SavingsState } from "../../../src/pools/savings/state.ts";
import { poolContract } from "../../support/suites/pool-contract.ts";
import { amountOfBits } from "../curve/arbitrary.ts";
import { directionsOf } from "../curve/directions.ts";

const RAY = 10n ** 27n;

const states: fc.Arbitrary<SavingsState> = fc.record({
  rate: fc.bigInt(RAY / 10n, 100n * RAY),
  growth: fc.bigInt(RAY, RAY + 10n ** 19n),
  updatedAt: fc.constant(0n),
  totalSupply: amountOfBits(110),
});

poolContract("a savings vault", {
  math: savingsMath,
  states,
  directions: directionsOf(2),
  exactOutExtra: () => 0n,
  roundingOf: () => 1,
  tradable: 0.3,
});

const year: SavingsState = {
  rate: RAY,
  growth: 1_000_000_001_547_125_957_863_212_448n,
  updatedAt: 0n,
  totalSupply: RAY,
};

test("a growth of 1000000001547125957863212448 a second is 5 % a year", () => {
  const toEighteenDigits = ((rateAt(year, 31_536_000n) ?? 0n) + 5n * 10n ** 8n) / 10n ** 9n;
  expect(toEighteenDigits).toBe(1_050_000_000_000_000_000n);
});

test("a rate that no 256 bits hold is nobody's to trade at", () => {
  const wild = { ...year, growth: 2n * RAY };
  expect(rateAt(wild, 1_000n)).toBeUndefined();
  expect(savingsMath.quoteExactIn(wild, { sell: 0, buy: 1 }, RAY, 1_000n)).toEqual({ rejected: "NO_LIQUIDITY" });
  expect(savingsMath.curve(wild, { sell: 0, buy: 1 }, 1_000n)).toBeUndefined();
});

test("gas of writing the rate down is due where time has passed, and may come due until a transaction is mined", () => {
  const enter = { sell: 0, buy: 1 };
  const gasAt = (time: bigint) => {
    const quote = savingsMath.quoteExactIn({ ...year, updatedAt: 100n }, enter, RAY, time);
    return "amount" in quote ? quote.gas : 0n;
  };
  expect(gasAt(101n) - gasAt(100n)).toBe(ACCRUAL_GAS);
  const { comingDue } = savings.gas;
  expect(comingDue({ ...year, updatedAt: 100n }, 100n, 160n)).toBe(ACCRUAL_GAS);
  expect(comingDue({ ...year, updatedAt: 99n }, 100n, 160n)).toBe(0n);
});

test("no shares are led out whose worth 128 bits do not hold", () => {
  const vast = { ...year, rate: (1n << 128n) - 1n, growth: RAY, totalSupply: (1n << 256n) - 1n };
  const { maxSell, maxBuy } = savingsMath.limits(vast, { sell: 1, buy: 0 }, 0n);
  expect(maxSell).toBeGreaterThan(0n);
  expect(maxBuy).toBeLessThanOrEqual((1n << 128n) - 1n);
});
