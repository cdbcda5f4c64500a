import type { Ratio } from "../../domain/ratio.ts";

/** Digits that a price or rate shows at most. */
const SIGNIFICANT_DIGITS = 18;

type Rounding = "up" | "down";

/**
 * `value` as a plain decimal of at most 18 significant digits, without exponent and without trailing zeros.
 * Rounded once, at the last digit.
 */
export function formatRatio(value: Ratio, rounding: Rounding): string {
  if (value.num === 0n) return "0";
  const decimals = SIGNIFICANT_DIGITS - 1 - magnitude(value);
  const scaled =
    decimals >= 0
      ? divide(value.num * 10n ** BigInt(decimals), value.den, rounding)
      : divide(value.num, value.den * 10n ** BigInt(-decimals), rounding);
  return decimals >= 0 ? formatScaled(scaled, decimals) : (scaled * 10n ** BigInt(-decimals)).toString();
}

/** The integer `scaled` divided by 10^decimals as a plain decimal without trailing zeros. */
export function formatScaled(scaled: bigint, decimals: number): string {
  const sign = scaled < 0n ? "-" : "";
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return sign + (fraction === "" ? whole : `${whole}.${fraction}`);
}

/** `num / den` for non-negative numbers, rounded as told. */
export function divide(num: bigint, den: bigint, rounding: Rounding): bigint {
  return rounding === "up" ? (num + den - 1n) / den : num / den;
}

/** The exponent e with 10^e <= value < 10^(e+1), for a value above zero. */
function magnitude({ num, den }: Ratio): number {
  const guess = num.toString().length - den.toString().length;
  return atLeastPowerOfTen(num, den, guess) ? guess : guess - 1;
}

function atLeastPowerOfTen(num: bigint, den: bigint, exponent: number): boolean {
  return exponent >= 0 ? num >= den * 10n ** BigInt(exponent) : num * 10n ** BigInt(-exponent) >= den;
}
