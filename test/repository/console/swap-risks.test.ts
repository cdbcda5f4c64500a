import { describe, expect, it } from "vitest";
import { moveSince, risksOf, secondsLeft, severityOf } from "../../../console/src/answer/swap-risks.ts";
import type { Price, Quote } from "../../../src/client/index.ts";

const TOKEN = { address: `0x${"12".repeat(20)}`, symbol: "TOK", name: "Token", decimals: 18 };

function quoteOf(parts: Partial<Quote> = {}): Quote {
  const amounts = { sellAmount: "1000000", buyAmount: "1000000", minBuyAmount: "990000", maxSellAmount: "1010000" };
  const times = { blockTimestamp: "1000", expiry: "1120" };
  return { ...amounts, ...times, estimatedPriceImpact: "0.1", ...parts } as Quote;
}

const priceOf = (parts: Partial<Quote>) => quoteOf(parts) as unknown as Price;

describe("a swap's risks", () => {
  it.each([
    ["0.1", 1, 0, false],
    ["3", 1, 0, false],
    ["3.0001", 1, 1, false],
    ["10", 1, 1, false],
    ["10.0001", 1, 1, true],
    [undefined, 1, 1, false],
    ["0.1", 5, 0, false],
    ["0.1", 5.1, 1, false],
    ["0.1", 20, 1, false],
    ["0.1", 20.5, 1, true],
    ["0.1", 100, 1, true],
    ["0.1", 0.01, 1, false],
    ["12", 30, 2, true],
  ])("impact %s %% and slippage %s %%: %i warnings, to be confirmed by typing: %s", (impact, slippage, many, typed) => {
    const { warnings, mustType } = risksOf(quoteOf({ estimatedPriceImpact: impact as string }), slippage, [TOKEN]);
    expect([warnings.length, mustType]).toEqual([many, typed]);
  });

  it("are told of a token that was imported, and of a transaction that could not be tried", () => {
    const issues = { simulationIncomplete: true } as Quote["issues"] & object;
    const { warnings } = risksOf(quoteOf({ issues }), 1, [TOKEN, { ...TOKEN, imported: true }]);
    expect(warnings).toEqual([expect.stringContaining("could not try"), expect.stringContaining(TOKEN.address)]);
  });

  it("have the colours of their gates", () => {
    expect([undefined, "3", "3.1", "10", "10.1"].map(severityOf)).toEqual([
      ...[undefined, undefined, "warn", "warn", "bad"],
    ]);
  });
});

describe("a newer price", () => {
  it.each([
    ["1000000", undefined],
    ["1000099", undefined],
    ["1000100", { percent: 0.01, breaksQuote: false }],
    ["995000", { percent: -0.5, breaksQuote: false }],
    ["989999", { percent: -1.0001, breaksQuote: true }],
  ])("that pays %s where 1000000 was quoted and 990000 is the least", (buyAmount, move) => {
    expect(moveSince(quoteOf(), priceOf({ buyAmount }), true)).toEqual(move);
  });

  it.each([
    ["1000000", undefined],
    ["995000", { percent: 0.5, breaksQuote: false }],
    ["1010001", { percent: -1.0001, breaksQuote: true }],
  ])("that costs %s where 1000000 was quoted and 1010000 is the most", (sellAmount, move) => {
    expect(moveSince(quoteOf(), priceOf({ sellAmount }), false)).toEqual(move);
  });
});

it.each([
  ["1000", 0, 120],
  ["1000", 1_500, 118],
  ["1012", 1_500, 106],
  ["990", 0, 120],
  ["1119", 2_000, 0],
])("the deadline goes by the chain's time: newest block at %s, told %i ms ago", (blockTimestamp, age, left) => {
  expect(secondsLeft(quoteOf(), { blockTimestamp }, age)).toBe(left);
});
