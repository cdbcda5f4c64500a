import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FRACTION_ONE } from "../../../src/quoting/answer/answers.ts";
import { feeOn, grossFor, maxSellAmountFor, minBuyAmountFor } from "../../../src/quoting/cost/amounts.ts";

const UINT256_MAX = (1n << 256n) - 1n;
const amount = fc.bigInt({ min: 1n, max: UINT256_MAX });
const rate = fc.bigInt({ min: 0n, max: 100_000n });
const slippage = fc.bigInt({ min: 0n, max: FRACTION_ONE });

describe("grossFor", () => {
  it("is the smallest gross that nets the bought amount, and nets it exactly", () => {
    fc.assert(
      fc.property(amount, rate, (buyAmount, ratePpm) => {
        const gross = grossFor(buyAmount, ratePpm);
        expect(gross - feeOn(gross, ratePpm)).toBe(buyAmount);
        expect(gross - 1n - feeOn(gross - 1n, ratePpm)).toBeLessThan(buyAmount);
      }),
      { seed: 2 },
    );
  });

  it("is the amount itself without a fee", () => {
    expect(grossFor(7n, 0n)).toBe(7n);
  });
});

describe("minBuyAmountFor", () => {
  it("rounds against nobody but never below 1", () => {
    expect(minBuyAmountFor(1000n, FRACTION_ONE / 100n)).toBe(990n);
    expect(minBuyAmountFor(99n, FRACTION_ONE / 100n)).toBe(98n);
    expect(minBuyAmountFor(1n, FRACTION_ONE)).toBe(1n);
  });

  it("stays between 1 and the amount", () => {
    fc.assert(
      fc.property(amount, slippage, (buyAmount, part) => {
        const least = minBuyAmountFor(buyAmount, part);
        expect(least >= 1n && least <= buyAmount).toBe(true);
      }),
      { seed: 3 },
    );
  });
});

describe("maxSellAmountFor", () => {
  it("rounds up and stays within 256 bits", () => {
    expect(maxSellAmountFor(99n, FRACTION_ONE / 100n)).toBe(100n);
    expect(maxSellAmountFor(100n, 0n)).toBe(100n);
    expect(maxSellAmountFor(UINT256_MAX, FRACTION_ONE)).toBe(UINT256_MAX);
  });
});
