import type { Violation, ViolationReason } from "../../domain/errors/violations.ts";

/** 1000 required, 1001 format or conflict, 1002 address, 1004 range, 1006 unsupported or missing partner, 1009 token, 1011 reference price. */
export type ViolationCode = 1000 | 1001 | 1002 | 1004 | 1006 | 1009 | 1011;

/** The number that each reason of a violation has on the wire. */
export const VIOLATION_CODES: Readonly<Record<ViolationReason, ViolationCode>> = {
  REQUIRED: 1000,
  INVALID_TYPE: 1001,
  INVALID_INTEGER: 1001,
  INVALID_FRACTION: 1001,
  TOO_MANY_DECIMALS: 1001,
  CONFLICT: 1001,
  REPEATED_PARAMETER: 1001,
  UNKNOWN_VALUE: 1001,
  INVALID_LOG: 1001,
  INVALID_CURSOR: 1001,
  INVALID_ADDRESS: 1002,
  INVALID_POOL: 1002,
  INVALID_CHECKSUM: 1002,
  ZERO_ADDRESS: 1002,
  SYMBOL_INSTEAD_OF_ADDRESS: 1002,
  OUT_OF_RANGE: 1004,
  SELL_AMOUNT_TOO_SMALL: 1004,
  BUY_AMOUNT_TOO_SMALL: 1004,
  INSUFFICIENT_ASSET_LIQUIDITY: 1004,
  SOURCE_CANNOT_SERVE: 1004,
  PRICE_IMPACT_TOO_HIGH: 1004,
  PRICE_OFF_REFERENCE: 1011,
  UNKNOWN_PARAMETER: 1006,
  UNKNOWN_SOURCE: 1006,
  UNKNOWN_CONTRACT: 1006,
  NOT_ALLOWED: 1006,
  NO_SOURCE_LEFT: 1006,
  MISSING_PARTNER: 1006,
  INVALID_RECIPIENT: 1006,
  NOT_WITH_WRAPPING: 1006,
  NOT_WITH_TAX: 1006,
  UNKNOWN_TOKEN: 1009,
  TOKEN_NOT_SUPPORTED: 1009,
  NOT_APPROVABLE: 1009,
  SAME_TOKEN: 1009,
};

/** A violation with its number, in the order of the contract's fields. */
export function codedViolation({
  field,
  reason,
  description,
}: Violation): Violation & { readonly code: ViolationCode } {
  return { field, code: VIOLATION_CODES[reason], reason, description };
}
