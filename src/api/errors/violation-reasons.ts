import type { ValidationCode } from "../../domain/swap-error.ts";

/** Every constant that an item of `validationErrors` can have as its reason. They never change. */
export const VIOLATION_REASONS: readonly {
  readonly reason: string;
  readonly code: ValidationCode;
  readonly when: string;
}[] = [
  { reason: "REQUIRED", code: 1000, when: "A required parameter is missing." },
  { reason: "INVALID_TYPE", code: 1001, when: "A value is not of the parameter's type." },
  { reason: "INVALID_INTEGER", code: 1001, when: "An amount or gas price is not an integer in base units or wei." },
  { reason: "INVALID_FRACTION", code: 1001, when: "A fraction is not a plain decimal." },
  { reason: "TOO_MANY_DECIMALS", code: 1001, when: "A fraction has more digits after the point than accepted." },
  { reason: "CONFLICT", code: 1001, when: "Two parameters exclude each other." },
  { reason: "REPEATED_PARAMETER", code: 1001, when: "A parameter with one value was given more than once." },
  { reason: "INVALID_ADDRESS", code: 1002, when: "A value is not an address." },
  { reason: "INVALID_CHECKSUM", code: 1002, when: "Mixed letter case is not the EIP-55 checksum." },
  { reason: "ZERO_ADDRESS", code: 1002, when: "The zero address stands for nothing here." },
  { reason: "SYMBOL_INSTEAD_OF_ADDRESS", code: 1002, when: "A token's symbol was sent; the item names its address." },
  { reason: "OUT_OF_RANGE", code: 1004, when: "A number is too small or too large." },
  {
    reason: "SELL_AMOUNT_TOO_SMALL",
    code: 1004,
    when: "The sale would pay out nothing, or is below a venue's minimum; the item names it.",
  },
  {
    reason: "BUY_AMOUNT_TOO_SMALL",
    code: 1004,
    when: "So little cannot be bought: it is below a venue's minimum, or costs nothing; the item names it.",
  },
  { reason: "INSUFFICIENT_ASSET_LIQUIDITY", code: 1004, when: "No route can carry the amount." },
  { reason: "SOURCE_CANNOT_SERVE", code: 1004, when: "Why one source alone cannot carry the amount." },
  { reason: "PRICE_IMPACT_TOO_HIGH", code: 1004, when: "The price impact is above the caller's limit." },
  { reason: "UNKNOWN_PARAMETER", code: 1006, when: "There is no such parameter; the item names the nearest one." },
  { reason: "UNKNOWN_SOURCE", code: 1006, when: "There is no such source; the item lists the nearest names." },
  { reason: "NO_SOURCE_LEFT", code: 1006, when: "Every source is excluded." },
  { reason: "MISSING_PARTNER", code: 1006, when: "A parameter needs another one that is missing." },
  {
    reason: "INVALID_RECIPIENT",
    code: 1006,
    when: "The fee's recipient could not use it: a token or a contract of ours.",
  },
  { reason: "UNKNOWN_TOKEN", code: 1009, when: "The address is no usable ERC-20 on this chain." },
  {
    reason: "TOKEN_NOT_SUPPORTED",
    code: 1009,
    when: "The token does not move exactly (fee on transfer, rebasing, refused transfers); the item says what was found.",
  },
  { reason: "SAME_TOKEN", code: 1009, when: "Both tokens are the same." },
];
