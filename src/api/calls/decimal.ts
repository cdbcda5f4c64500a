import { Decimal } from "../../domain/decimal.ts";
import { divide, type Ratio, type Rounding } from "../../domain/ratio.ts";

/** Digits that a price or rate shows at most. */
const SIGNIFICANT_DIGITS = 18;

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
  return decimals >= 0 ? formatScaled(scaled, decimals) : String(scaled * 10n ** BigInt(-decimals));
}

/** The integer `scaled` divided by 10^decimals as a plain decimal without trailing zeros. */
export function formatScaled(scaled: bigint, decimals: number): string {
  return String(new Decimal(scaled, decimals));
}

/** The exponent e with 10^e <= value < 10^(e+1), for a value above zero. */
function magnitude({ num, den }: Ratio): number {
  const guess = String(num).length - String(den).length;
  return atLeastPowerOfTen(num, den, guess) ? guess : guess - 1;
}

function atLeastPowerOfTen(num: bigint, den: bigint, exponent: number): boolean {
  return exponent >= 0 ? num >= den * 10n ** BigInt(exponent) : num * 10n ** BigInt(-exponent) >= den;
}
