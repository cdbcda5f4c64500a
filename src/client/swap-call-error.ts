import { Code, ConnectError } from "@connectrpc/connect";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  RequestInfoSchema,
  RetryInfoSchema,
} from "#gen/google/rpc/error_details_pb.ts";
import type { RefusalKind } from "../domain/errors/refusals.ts";

/** Why a call failed: a case of docs/errors.md, or one that the service cannot tell because nobody reached it. */
export type FailureKind = RefusalKind | "NOT_REACHED" | "CANCELED";

/** One thing wrong with one field of a request. */
export interface FieldProblem {
  readonly field: string;
  /** An UPPER_SNAKE constant that never changes. */
  readonly reason: string;
  /** A sentence for people. */
  readonly description: string;
}

/** Kinds of errors without our details, as proxies send them, by code. */
const KIND_OF_CODE: Readonly<Partial<Record<Code, FailureKind>>> = {
  [Code.Canceled]: "CANCELED",
  [Code.InvalidArgument]: "INVALID_PARAMETERS",
  [Code.DeadlineExceeded]: "DEADLINE_EXCEEDED",
  [Code.PermissionDenied]: "PERMISSION_DENIED",
  [Code.ResourceExhausted]: "TOO_MANY_REQUESTS",
  [Code.Unimplemented]: "NOT_FOUND",
  [Code.Unavailable]: "UNAVAILABLE",
  [Code.Unauthenticated]: "UNAUTHENTICATED",
};

/** Kinds that the same call may not meet again a moment later. */
const PASSING: ReadonlySet<FailureKind> = new Set<FailureKind>([
  "NOT_REACHED",
  "TOO_MANY_REQUESTS",
  "UNAVAILABLE",
  "DEADLINE_EXCEEDED",
]);

/** A call that failed. `kind` is what to branch on; `message` is for people. */
export class SwapCallError extends Error {
  override readonly name = "SwapCallError";
  readonly kind: FailureKind;
  /** The service's constant for exactly this refusal, such as API_KEY_MISSING; the kind where there is none. */
  readonly reason: string;
  /** Every problem of the request at once; empty unless the request was at fault. */
  readonly problems: readonly FieldProblem[];
  /** Whether the same call may succeed when it is made again. */
  readonly isRetryable: boolean;
  /** Seconds to wait before that, as the service asks. */
  readonly retryAfterSeconds: number | undefined;
  /** Names the call in the service's logs; undefined when it did not arrive. */
  readonly requestId: string | undefined;

  /** `kind`: where the error by itself does not tell it. */
  constructor(error: ConnectError, kind?: FailureKind) {
    super(error.rawMessage, { cause: error });
    const info = error.findDetails(ErrorInfoSchema)[0];
    this.kind = kind ?? kindOf(error, info?.metadata.docs);
    this.reason = info?.reason ?? this.kind;
    this.problems = (error.findDetails(BadRequestSchema)[0]?.fieldViolations ?? []).map(
      ({ field, reason, description }) => ({ field, reason, description }),
    );
    this.isRetryable = PASSING.has(this.kind);
    const delay = error.findDetails(RetryInfoSchema)[0]?.retryDelay?.seconds;
    this.retryAfterSeconds = delay === undefined ? secondsIn(error.metadata.get("retry-after")) : Number(delay);
    this.requestId =
      error.findDetails(RequestInfoSchema)[0]?.requestId ?? error.metadata.get("x-request-id") ?? undefined;
  }
}

/**
 * Converts an error of any transport to one kind. `signal`: the caller's own. A call that was canceled without it was given
 * up by nobody: Node ends the streams of an HTTP/2 connection so when it breaks.
 */
export function toSwapCallError(thrown: unknown, signal: AbortSignal | undefined): SwapCallError {
  if (thrown instanceof SwapCallError) return thrown;
  const error = ConnectError.from(thrown);
  const isBroken = error.code === Code.Canceled && signal?.aborted !== true;
  return new SwapCallError(error, isBroken ? "NOT_REACHED" : undefined);
}

/** The service's link to its documentation ends in the kind; without one the code has to do. */
function kindOf(error: ConnectError, docs: string | undefined): FailureKind {
  const section = docs?.split("#")[1]?.toUpperCase();
  if (section !== undefined) return section as RefusalKind;
  if (isConnectionFailure(error)) return "NOT_REACHED";
  return KIND_OF_CODE[error.code] ?? "INTERNAL";
}

/** fetch throws a TypeError without status; Node's sockets throw errors with a code such as ECONNREFUSED. */
function isConnectionFailure({ cause, code }: ConnectError): boolean {
  if (code !== Code.Unavailable && code !== Code.Unknown && code !== Code.Internal && code !== Code.Aborted)
    return false;
  return cause instanceof TypeError || (cause instanceof Error && "code" in cause && typeof cause.code === "string");
}

function secondsIn(header: string | null): number | undefined {
  return header !== null && /^\d+$/.test(header) ? Number(header) : undefined;
}
