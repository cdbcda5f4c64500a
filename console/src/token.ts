import { toDecimal } from "../../src/client/index.ts";

/** A token of the service's list, or one that somebody imported by its address. */
export interface Token {
  /** Lower case. */
  readonly address: string;
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
  /** Nobody but its own contract says what it is called. */
  readonly imported?: true;
}

/** Digits that people compare by; the rest is in the copied requests. */
const SIGNIFICANT = 8;
/** More digits before the point are told as a power of ten: they would be too wide, and nobody counts them. */
const MAX_WHOLE_DIGITS = 18;

/** Base units as a number of tokens that can be read: grouped, and cut (never rounded up) after some digits. */
export function readable(units: bigint, decimals: number): string {
  return shorten(toDecimal(units, decimals));
}

/** Readable amount that is paid at most: rounded up, so that no more than is shown is ever taken. */
export function readableAtMost(units: bigint, decimals: number): string {
  const step = 10n ** BigInt(Math.max(decimals - decimalsShown(toDecimal(units, decimals)), 0));
  return readable(((units + step - 1n) / step) * step, decimals);
}

/** A plain decimal, grouped and cut after some significant digits. */
export function shorten(decimal: string): string {
  const [whole = "0", rest = ""] = decimal.split(".");
  if (whole.length > MAX_WHOLE_DIGITS) {
    const kept = whole.slice(1, SIGNIFICANT).replace(/0+$/, "");
    return `${whole[0]}${kept === "" ? "" : `.${kept}`}×10${superscript(whole.length - 1)}`;
  }
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
  const kept = rest.slice(0, decimalsShown(decimal)).replace(/0+$/, "");
  return kept === "" ? grouped : `${grouped}.${kept}`;
}

/** Number of decimals to show; below zero if not even all digits before the point are shown. */
function decimalsShown(decimal: string): number {
  const [whole = "0", rest = ""] = decimal.split(".");
  const leading = whole === "0" ? (rest.match(/^0*/)?.[0].length ?? 0) : -whole.length;
  return whole.length > MAX_WHOLE_DIGITS ? SIGNIFICANT + leading : Math.max(SIGNIFICANT + leading, 2);
}

function superscript(exponent: number): string {
  return String(exponent).replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)] ?? digit);
}

/** One over a plain decimal, for people only: however small it is, its first digits are there. */
export function inverse(decimal: string): string {
  const value = 1 / Number(decimal);
  return Number.isFinite(value)
    ? value.toLocaleString("en-US", { useGrouping: false, maximumSignificantDigits: 12 })
    : "0";
}
