/** Every reason why one field of a request is refused, with when that is. They never change. */
export const VIOLATIONS = {
  REQUIRED: "A required parameter is missing.",
  INVALID_TYPE: "A value is not of the parameter's type.",
  INVALID_INTEGER: "An amount or gas price is not an integer in base units or wei.",
  INVALID_FRACTION: "A fraction is not a plain decimal.",
  TOO_MANY_DECIMALS: "A fraction has more digits after the point than accepted.",
  CONFLICT: "Two parameters exclude each other.",
  REPEATED_PARAMETER: "A parameter with one value was given more than once.",
  INVALID_ADDRESS: "A value is not an address.",
  INVALID_CHECKSUM: "Mixed letter case is not the EIP-55 checksum.",
  ZERO_ADDRESS: "The zero address is neither a token nor an account.",
  SYMBOL_INSTEAD_OF_ADDRESS: "A token's symbol was sent; the item names its address.",
  UNKNOWN_VALUE: "The parameter does not accept this value; the item lists those that it accepts.",
  INVALID_CURSOR: "A cursor was not given by a page, or belongs to another search.",
  OUT_OF_RANGE: "A number is too small or too large.",
  SELL_AMOUNT_TOO_SMALL: "The amount would buy nothing, or is below a venue's minimum; the item names it.",
  BUY_AMOUNT_TOO_SMALL: "The amount would cost nothing, or is below a venue's minimum; the item names it.",
  INSUFFICIENT_ASSET_LIQUIDITY: "No route can carry the amount.",
  SOURCE_CANNOT_SERVE: "One source alone cannot carry the amount; the item says why.",
  PRICE_IMPACT_TOO_HIGH: "The price impact is above the caller's limit.",
  PRICE_OFF_REFERENCE: "The price is further off the operator's reference price than allowed; the item has both.",
  UNKNOWN_PARAMETER: "There is no such parameter; the item names the nearest one.",
  UNKNOWN_SOURCE: "There is no such source; the item lists the nearest names.",
  INVALID_POOL: "A value is not the id of a pool.",
  INVALID_LOG: "A log is malformed, or cannot follow from the state of its pool; the item says what is wrong.",
  UNKNOWN_CONTRACT:
    "A log is of a contract that no price depends on, or whose state does not follow from logs; the item names it.",
  NOT_ALLOWED: "The operator does not allow the parameter.",
  NO_SOURCE_LEFT: "Every source is excluded.",
  MISSING_PARTNER: "A parameter needs another one that is missing.",
  INVALID_RECIPIENT: "A recipient is a token or a contract of this service: what it receives would be lost.",
  NOT_APPROVABLE: "The sold token cannot be approved in that way; the item names one that works.",
  NOT_WITH_WRAPPING: "The parameter does not work with wrapping and unwrapping; the item says why.",
  NOT_WITH_TAX: "A token with a fee on transfer would be taxed once more; the item says what to send.",
  UNKNOWN_TOKEN: "The address is no usable ERC-20 on this chain.",
  TOKEN_NOT_SUPPORTED:
    "The token does not move exactly (rebasing, refused transfers, a fee on transfer that no route can reckon with); the item says what was found.",
  SAME_TOKEN: "Both tokens are the same.",
} as const;

/** A constant that names what is wrong with a field. */
export type ViolationReason = keyof typeof VIOLATIONS;

/** One thing wrong with one field of a request. */
export interface Violation {
  /** The parameter's name as the caller wrote it in the API's own spelling, for example `sellAmount`. */
  readonly field: string;
  readonly reason: ViolationReason;
  /** A sentence: what was given, and what to send instead. */
  readonly description: string;
}
