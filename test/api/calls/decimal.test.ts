import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatRatio, formatScaled } from "../../../src/api/calls/decimal.ts";
import { divide } from "../../../src/domain/ratio.ts";

const positive = fc.bigInt({ min: 1n, max: (1n << 256n) - 1n });

/** A plain decimal string as an exact fraction. */
function parse(text: string): { num: bigint; den: bigint } {
  const [whole, fraction = ""] = text.split(".");
  return { num: BigInt(`${whole}${fraction}`), den: 10n ** BigInt(fraction.length) };
}

describe("formatRatio", () => {
  it.each([
    [1n, 3n, "up", "0.333333333333333334"],
    [1n, 3n, "down", "0.333333333333333333"],
    [2000n, 1n, "up", "2000"],
    [1n, 2000n, "up", "0.0005"],
    [999999999999999999999n, 1n, "up", "1000000000000000000000"],
    [999999999999999999999n, 1n, "down", "999999999999999999000"],
    [1n, 10n ** 30n, "down", "0.000000000000000000000000000001"],
    [0n, 5n, "up", "0"],
  ] as const)("%s / %s rounded %s is %s", (num, den, rounding, text) => {
    expect(formatRatio({ num, den }, rounding)).toBe(text);
  });

  it("is a plain decimal within one unit of the 18th digit, on the side it was told", () => {
    fc.assert(
      fc.property(positive, positive, fc.constantFrom("up" as const, "down" as const), (num, den, rounding) => {
        const text = formatRatio({ num, den }, rounding);
        expect(text).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/);
        expect(text.replace(".", "").replace(/^0+/, "").replace(/0+$/, "").length).toBeLessThanOrEqual(18);
        const shown = parse(text);
        const off = shown.num * den - num * shown.den;
        expect(rounding === "up" ? off >= 0n : off <= 0n).toBe(true);
        // One unit of the 18th significant digit is at most 10^-17 of the value.
        expect((off < 0n ? -off : off) * 10n ** 17n <= num * shown.den).toBe(true);
      }),
      { seed: 1 },
    );
  });
});

describe("formatScaled", () => {
  it.each([
    [0n, 18, "0"],
    [1n, 18, "0.000000000000000001"],
    [10n ** 18n, 18, "1"],
    [1500n, 3, "1.5"],
    [-25n, 1, "-2.5"],
    [42n, 0, "42"],
  ] as const)("%s with %s decimals is %s", (scaled, decimals, text) => {
    expect(formatScaled(scaled, decimals)).toBe(text);
  });
});

describe("divide", () => {
  it("rounds as told", () => {
    expect([divide(7n, 2n, "up"), divide(7n, 2n, "down"), divide(8n, 2n, "up")]).toEqual([4n, 3n, 4n]);
  });
});
