import { describe, expect, it } from "vitest";
import { nameOf } from "../../../console/src/answer/route-layout.ts";
import { typedAmount } from "../../../console/src/form/typed-amount.ts";
import { refusalWords } from "../../../console/src/page/refusal-words.ts";
import { inverse, readable, readableAtMost, shorten } from "../../../console/src/token.ts";
import { toBaseUnits } from "../../../src/client/index.ts";

describe("an amount that is typed", () => {
  it.each([
    ["1.5", "1.5"],
    ["0,5", "0.5"],
    ["0,125", "0.125"],
    ["1234,567", "1234.567"],
    ["1 234.5", "1234.5"],
    ["1\u202f234\u202f567.25", "1234567.25"],
    [".5", "0.5"],
    [",5", "0.5"],
    ["5.", "5"],
    ["0.", "0"],
    ["1,000.5", "1000.5"],
    ["1.000,5", "1000.5"],
    ["1,000,000", "1000000"],
    ["1.000.000", "1000000"],
    ["1'234'567.5", "1234567.5"],
    ["12,34,567.5", "1234567.5"],
    [" 1 000.25\n", "1000.25"],
  ])("%s is %s", (text, amount) => {
    expect(typedAmount(text)).toBe(amount);
  });

  it.each(["1,000", "12,345", "999,999"])("%s is not guessed at", (text) => {
    expect(typedAmount(text)).toBeUndefined();
  });

  it.each(["", ".", ",", "1.2.3", "1,0,0", "1,00.5", "1.000,5.5", "1e18", "-1", "abc", "0x10"])(
    "%j is no number",
    (text) => {
      expect(toBaseUnits(typedAmount(text) ?? "", 18)).toBeUndefined();
    },
  );
});

it.each([
  [1_000_000_000_000_000_000n, 18, "1", "1"],
  [1_000_000_009_999_999_999n, 18, "1", "1.0000001"],
  [1_999_999_999_999_999_999n, 18, "1.9999999", "2"],
  [123_456_789_123n, 6, "123\u202f456.78", "123\u202f456.79"],
  [5n, 18, "0.000000000000000005", "0.000000000000000005"],
  [12_345n, 0, "12\u202f345", "12\u202f345"],
  [123_456_789_012_345n, 0, "123\u202f456\u202f789\u202f012\u202f345", "123\u202f456\u202f789\u202f012\u202f345"],
  [1_234_567_800_000_000_000n, 0, "1.2345678×10¹⁸", "1.2345678×10¹⁸"],
  [2n ** 256n - 1n, 0, "1.1579208×10⁷⁷", "1.1579209×10⁷⁷"],
  [10n ** 60n + 1n, 18, "1×10⁴²", "1.0000001×10⁴²"],
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

const USDH = { address: `0x${"12".repeat(20)}`, symbol: "USDH", name: "Harbor Dollar", decimals: 6 };

it.each([
  ["sellAmount must be between 1 and 2^256 - 1.", "The amount must be between 1 and 2^256 - 1."],
  ['"buyToken" is no token on this chain', "The token to buy is no token on this chain"],
  [
    `not enough liquidity from ETH (0x${"ee".repeat(20)}) to 1500000 base units; send at most 1000000`,
    "Not enough liquidity from ETH to 1.5 USDH; send at most 1 USDH",
  ],
  [
    `not enough liquidity: buying 12345000000 base units (12345 USDH) of the bought token USDH (0x${"12".repeat(20)}) with ETH; send a buyAmount of at most 1 base unit (0.000001 USDH)`,
    "Not enough liquidity: buying 12\u202f345 USDH of the bought token USDH with ETH; send an amount of at most 0.000001 USDH",
  ],
  ["5 USDH (5000000 base units) buy nothing", "5 USDH buy nothing"],
  ["1000000 base units of USDH buy nothing; send a larger sellAmount", "1 USDH buy nothing; send a larger amount"],
])("a refusal is told in people's words: %s", (text, words) => {
  expect(refusalWords(text, USDH)).toBe(words);
});
