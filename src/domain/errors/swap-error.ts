import { type RefusalKind, type RefusalReason, refusalOf } from "./refusals.ts";
import type { Violation } from "./violations.ts";

/** Parts of a refusal beside its reason and its message. */
interface RefusalDetails {
  readonly violations?: readonly Violation[];
  /** Seconds after which to try again, where whoever refuses knows better than the table. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** A refusal that the caller is told about. Everything else that is thrown is a defect of ours. */
export class SwapError extends Error {
  override readonly name = "SwapError";
  readonly kind: RefusalKind;
  /** The kind, or a constant that says more. */
  readonly reason: RefusalReason;
  readonly violations: readonly Violation[];
  /** Seconds after which trying again makes sense. */
  readonly retryAfterSeconds: number | undefined;

  private constructor(reason: RefusalReason, message: string, details: RefusalDetails) {
    super(message, { cause: details.cause });
    const { kind, retryAfterSeconds } = refusalOf(reason);
    this.kind = kind;
    this.reason = reason;
    this.violations = details.violations ?? [];
    this.retryAfterSeconds = details.retryAfterSeconds ?? retryAfterSeconds;
  }

  /** Makes the refusal that the table has for a reason: its kind, and when to try again. The caller throws it. */
  static refuse(reason: RefusalReason, message: string, details: RefusalDetails = {}): SwapError {
    // A refusal is an answer: nobody reads where it was made, and noting that down takes longer than all else in it.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    const refusal = new SwapError(reason, message, details);
    Error.stackTraceLimit = stackTraceLimit;
    return refusal;
  }
}

export const { refuse } = SwapError;
