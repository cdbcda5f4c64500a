import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toAddress } from "../../../src/domain/address.ts";
import type { SwapFee } from "../../../src/domain/terms/swap-fee.ts";
import { FRACTION_ONE } from "../../../src/quoting/answer/types.ts";
import {
  feeOn,
  feesOn,
  feesOnSold,
  grossFor,
  maxSellAmountFor,
  minBuyAmountFor,
} from "../../../src/quoting/cost/amounts.ts";

const UINT256_MAX = (1n << 256n) - 1n;
const amount = fc.bigInt({ min: 1n, max: UINT256_MAX });
const recipient = toAddress(`0x${"11".repeat(20)}`);
const parts = fc
  .array(fc.bigInt({ min: 0n, max: 25_000n }), { minLength: 1, maxLength: 4 })
  .map(([first = 0n, ...others]): SwapFee => {
    return { ratePpm: first, recipient, others: others.map((ratePpm) => ({ ratePpm, recipient })) };
  });
const slippage = fc.bigInt({ min: 0n, max: FRACTION_ONE });

describe("grossFor", () => {
  it("is the smallest gross that nets the bought amount, and nets it exactly", () => {
    fc.assert(
      fc.property(amount, parts, (buyAmount, fee) => {
        const gross = grossFor(buyAmount, fee);
        expect(gross - feeOn(gross, fee)).toBe(buyAmount);
        expect(gross - 1n - feeOn(gross - 1n, fee)).toBeLessThan(buyAmount);
      }),
      { seed: 2 },
    );
  });

  it("is the amount itself without a fee", () => {
    expect(grossFor(7n, undefined)).toBe(7n);
  });
});

describe("feesOnSold", () => {
  it("is the whole fee of an exact input, as much less of less, and never more than the maximum in all", () => {
    const sold = fc.bigInt({ min: 0n, max: 1_000_000n });
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 128n }), parts, sold, (most, fee, part) => {
        const net = most - feeOn(most, fee);
        expect(feesOnSold(net, most, fee)).toEqual(feesOn(most, fee));
        const less = (net * part) / 1_000_000n;
        const total = feesOnSold(less, most, fee).reduce((sum, each) => sum + each, less);
        expect(total).toBeLessThanOrEqual(most);
      }),
      { seed: 3 },
    );
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
