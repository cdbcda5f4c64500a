/**
 * Values of parameters, declared once: `parameter-matrix.test.ts` sends each over every protocol, to every call that has the
 * parameter. Beside each row stand the parameters of `VALID`; undefined takes one away.
 */

/** Parameters as a client has them: lists are arrays. */
export type Given = Readonly<Record<string, unknown>>;

/** An item of validationErrors, and what its description says. */
export type Problem = readonly [field: string, reason: string, says?: RegExp];

/** Fields of what a request comes to inside, or of what is answered to it. */
export type Meaning = Readonly<Record<string, unknown>>;

export type AcceptedRow = readonly [name: string, given: Given, meaning: Meaning];
export type RefusedRow = readonly [name: string, given: Given, ...problems: Problem[]];

/** Rows of some parameters. An edge is the last value that is accepted, or one that many take for another. */
export interface ParameterTable {
  readonly good: readonly AcceptedRow[];
  readonly edge: readonly AcceptedRow[];
  readonly bad: readonly RefusedRow[];
}

/** Numbers of the reasons over REST. */
export const CODES: Readonly<Record<string, readonly string[]>> = {
  1000: ["REQUIRED"],
  1001: [
    ...["INVALID_TYPE", "INVALID_INTEGER", "INVALID_FRACTION", "TOO_MANY_DECIMALS", "CONFLICT", "REPEATED_PARAMETER"],
    ...["UNKNOWN_VALUE", "INVALID_LOG", "INVALID_CURSOR"],
  ],
  1002: ["INVALID_ADDRESS", "INVALID_POOL", "INVALID_CHECKSUM", "ZERO_ADDRESS", "SYMBOL_INSTEAD_OF_ADDRESS"],
  1004: ["OUT_OF_RANGE"],
  1006: ["UNKNOWN_PARAMETER", "UNKNOWN_SOURCE", "NO_SOURCE_LEFT", "MISSING_PARTNER", "INVALID_RECIPIENT"],
  1009: ["UNKNOWN_TOKEN", "SAME_TOKEN"],
};

export const WRONG_CHECKSUM = "0xc02AAA39b223FE8D0A0e5C4F27eAD9083C756Cc2";
export const ZERO = `0x${"0".repeat(40)}`;
export const RECIPIENT = "0x3333333333333333333333333333333333333333";

/** So many different addresses. */
export function addresses(count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => `0x${(i + 1).toString(16).padStart(40, "0")}`);
}
