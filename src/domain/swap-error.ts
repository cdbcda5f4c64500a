/** One thing wrong with one field of a request. */
export interface Violation {
  /** The parameter's name as the caller wrote it in the API's own spelling, for example `sellAmount`. */
  readonly field: string;
  readonly code: ValidationCode;
  /** An UPPER_SNAKE constant that never changes. */
  readonly reason: string;
  /** A sentence: what was given, and what to send instead. */
  readonly description: string;
}

/** 1000 required, 1001 format or conflict, 1002 address, 1004 range, 1006 unsupported or missing partner, 1009 token. */
export type ValidationCode = 1000 | 1001 | 1002 | 1004 | 1006 | 1009;

/** Everything that a call can be refused for, by the case of the contract's error table. */
export type SwapErrorKind =
  | "INVALID_PARAMETERS"
  | "MALFORMED_BODY"
  | "UNSUPPORTED_CONTENT_TYPE"
  | "UNSUPPORTED_COMPRESSION"
  | "BODY_TOO_LARGE"
  | "INSUFFICIENT_ASSET_LIQUIDITY"
  | "PRICE_IMPACT_TOO_HIGH"
  | "TRANSACTION_REVERTS"
  | "UNAUTHENTICATED"
  | "PERMISSION_DENIED"
  | "NOT_FOUND"
  | "METHOD_NOT_ALLOWED"
  | "TOO_MANY_REQUESTS"
  | "UNAVAILABLE"
  | "SETTLEMENT_NOT_DEPLOYED"
  | "DEADLINE_EXCEEDED"
  | "INTERNAL";

/** A refusal that the caller is told about. Everything else that is thrown is a defect of ours. */
export class SwapError extends Error {
  override readonly name = "SwapError";
  readonly kind: SwapErrorKind;
  /** UPPER_SNAKE constant for the whole error; by default the kind. */
  readonly reason: string;
  readonly violations: readonly Violation[];
  /** Seconds after which trying again makes sense. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    kind: SwapErrorKind,
    message: string,
    details: {
      readonly reason?: string;
      readonly violations?: readonly Violation[];
      readonly retryAfterSeconds?: number;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, { cause: details.cause });
    this.kind = kind;
    this.reason = details.reason ?? kind;
    this.violations = details.violations ?? [];
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}
