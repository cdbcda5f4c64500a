import type { Token } from "../../domain/token.ts";
import { withoutTrailingZeros } from "./fraction.ts";
import { type Report, shown } from "./report.ts";

const UINT256_MAX = (1n << 256n) - 1n;

/** Decimal digits of 2^256 - 1. */
const UINT256_DIGITS = 78;

/**
 * A token amount in base units, 1 to 2^256 - 1. `token` (when it is known) lets a wrong amount be answered with the
 * right one.
 */
export function parseAmount(field: string, text: string, token: Token | undefined, report: Report): bigint | undefined {
  const value = parseInteger(field, text, { most: UINT256_MAX, hint: () => formHint(text, token) }, report);
  if (value === 0n) return report.add(field, "OUT_OF_RANGE", `${field} is 0. Send at least 1 base unit.`);
  return value;
}

/** Range of an integer, and what to send instead of an invalid one. */
interface IntegerForm {
  readonly most: bigint;
  readonly hint: () => string;
}

/** A non-negative integer up to `most`, written without sign, exponent or leading zeros. */
export function parseInteger(
  field: string,
  text: string,
  { most, hint }: IntegerForm,
  report: Report,
): bigint | undefined {
  if (!/^(0|[1-9][0-9]*)$/.test(text)) {
    return report.add(field, "INVALID_INTEGER", `${field} must be an integer. ${hint()}`.trimEnd());
  }
  if (text.length > UINT256_DIGITS || BigInt(text) > most) {
    return report.add(field, "OUT_OF_RANGE", `${field} must be at most ${most}. Given: ${shown(text)}.`);
  }
  return BigInt(text);
}

/** Advice for an amount that is no integer. */
function formHint(text: string, token: Token | undefined): string {
  if (text === "") return "It is empty: leave it out if the other amount is given.";
  if (/^[0-9]+\.[0-9]*$/.test(text) || /^\.[0-9]+$/.test(text)) return decimalPointHint(text, token);
  if (/^0[0-9]+$/.test(text)) {
    return text.length > UINT256_DIGITS
      ? "Leading zeros are not accepted."
      : `Without leading zeros it is ${BigInt(text)}.`;
  }
  if (/^0x/i.test(text)) return "Send decimal digits, not hex.";
  if (/^[0-9.]+e[+-]?[0-9]+$/i.test(text)) return `Write all digits, without exponent. Given: ${shown(text)}.`;
  if (/^[+-]/.test(text)) return `Send it without a sign. Given: ${shown(text)}.`;
  return `Send decimal digits only, in base units of the token. Given: ${shown(text)}.`;
}

function decimalPointHint(text: string, token: Token | undefined): string {
  if (token === undefined) return "Amounts are in base units of the token, without a decimal point.";
  const [whole = "", fraction = ""] = text.split(".");
  const significant = withoutTrailingZeros(fraction);
  const name = token.symbol === "" ? "token" : token.symbol;
  const start = `Amounts are in base units: ${name} has ${token.decimals} decimals, so`;
  if (significant.length > token.decimals) return `${start} ${shown(text)} has more digits than it can have.`;
  if (whole.length + token.decimals > UINT256_DIGITS) return `${start} ${shown(text)} is too large.`;
  const units = BigInt(whole + significant.padEnd(token.decimals, "0"));
  return `${start} ${text.length > UINT256_DIGITS + 1 ? shown(text) : text} is ${units}.`;
}
