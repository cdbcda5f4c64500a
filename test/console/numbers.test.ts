import { describe, expect, it } from "vitest";
import { nameOf } from "../../console/src/route-layout.ts";
import { inverse, readable, readableAtMost, shorten } from "../../console/src/token.ts";
import { typedAmount } from "../../console/src/typed-amount.ts";

describe("an amount that is typed", () => {
  it.each([
    ["1.5", "1.5"],
    ["0,5", "0.5"],
    ["0,125", "0.125"],
    ["1234,567", "1234.567"],
    ["1 234.5", "1234.5"],
    ["1\u202f234\u202f567.25", "1234567.25"],
  ])("%s is %s", (text, amount) => {
    expect(typedAmount(text)).toBe(amount);
  });

  it.each(["1,000", "12,345", "1,000,000", "1,000.5", "1.000.000"])("%s is not guessed at", (text) => {
    expect(typedAmount(text)).toBeUndefined();
  });
});

it.each([
  [1_000_000_000_000_000_000n, 18, "1", "1"],
  [1_000_000_009_999_999_999n, 18, "1", "1.0000001"],
  [1_999_999_999_999_999_999n, 18, "1.9999999", "2"],
  [123_456_789_123n, 6, "123\u202f456.78", "123\u202f456.79"],
  [5n, 18, "0.000000000000000005", "0.000000000000000005"],
  [12_345n, 0, "12\u202f345", "12\u202f345"],
])("%s units of %s decimals are cut, and rounded up where they are paid at most", (units, decimals, cut, most) => {
  expect([readable(units, decimals), readableAtMost(units, decimals)]).toEqual([cut, most]);
});

it.each([
  ["0.0005", "2\u202f000"],
  ["3", "0.33333333"],
  ["12345678901234567", "0.000000000000000081"],
])("a rate has its first digits, however small: one over %s", (price, rate) => {
  expect(shorten(inverse(price))).toBe(rate);
});

it("a token without a symbol goes by its address", () => {
  expect(nameOf({ symbol: "", address: "0x1234567890" })).toBe("0x1234…");
  expect(nameOf({ symbol: "ETH", address: "0x1234567890" })).toBe("ETH");
});
