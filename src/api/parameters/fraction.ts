import { FRACTION_ONE } from "../../quoting/answer/types.ts";
import { type Report, shown } from "./report.ts";

/** Decimals of a scaled fraction. */
const SCALE = 18;

/** Limits of a fraction parameter. */
export interface FractionLimits {
  /** Scaled by FRACTION_ONE. */
  readonly most: bigint;
  /** Largest value as text for people. */
  readonly mostText: string;
  /** Digits after the point at most, zeros at the end not counted. */
  readonly decimals: number;
  /** A word that may be sent in its place, and is taken before. */
  readonly orWord?: string;
}

/** A decimal fraction from 0, scaled by FRACTION_ONE. */
export function parseFraction(field: string, text: string, limits: FractionLimits, report: Report): bigint | undefined {
  const match = /^(0|[1-9][0-9]{0,17})(?:\.([0-9]+))?$/.exec(text);
  if (match === null) {
    const given = text === "" ? "It is empty: leave it out to have the default." : `Given: ${shown(text)}.`;
    const word = limits.orWord === undefined ? "" : `, or ${limits.orWord}`;
    return report.add(
      field,
      "INVALID_FRACTION",
      `${field} must be a plain decimal fraction, for example 0.01 for 1 %${word}. ${given}`,
    );
  }
  const [, whole = "0", written = ""] = match;
  const decimals = withoutTrailingZeros(written);
  if (decimals.length > limits.decimals) {
    return report.add(
      field,
      "TOO_MANY_DECIMALS",
      `${field} may have at most ${limits.decimals} digits after the point. Given: ${shown(text)}.`,
    );
  }
  const scaled = BigInt(whole) * FRACTION_ONE + BigInt(decimals.padEnd(SCALE, "0"));
  if (scaled <= limits.most) return scaled;
  return report.add(
    field,
    "OUT_OF_RANGE",
    `${field} must be between 0 and ${limits.mostText}. It is a fraction, not a percentage: 1 % is 0.01. ` +
      `Given: ${shown(text)}.`,
  );
}

/** Takes one pass: a pattern like /0+$/ begins anew at every zero, and took seconds for as many as fit into a body. */
export function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === "0") end--;
  return digits.slice(0, end);
}
