import { Code, ConnectError } from "@connectrpc/connect";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  RequestInfoSchema,
  RetryInfoSchema,
} from "#gen/google/rpc/error_details_pb.ts";
import { type FailureKind, kindInLink, SwapCallError, secondsIn } from "./swap-call-error.ts";

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

/**
 * Converts an error of any transport to one kind. `signal`: the caller's own. A call that was canceled without it
 * was given up by nobody: Node ends the streams of an HTTP/2 connection so when it breaks.
 */
export function toSwapCallError(thrown: unknown, signal: AbortSignal | undefined): SwapCallError {
  if (thrown instanceof SwapCallError) return thrown;
  const error = ConnectError.from(thrown);
  const isBroken = error.code === Code.Canceled && signal?.aborted !== true;
  const info = error.findDetails(ErrorInfoSchema)[0];
  const delay = error.findDetails(RetryInfoSchema)[0]?.retryDelay?.seconds;
  return new SwapCallError({
    message: error.rawMessage,
    kind: isBroken ? "NOT_REACHED" : kindOf(error, info?.metadata.docs),
    reason: info?.reason,
    problems: (error.findDetails(BadRequestSchema)[0]?.fieldViolations ?? []).map(({ field, reason, description }) => ({
      field,
      reason,
      description,
    })),
    retryAfterSeconds: delay === undefined ? secondsIn(error.metadata.get("retry-after")) : Number(delay),
    requestId: error.findDetails(RequestInfoSchema)[0]?.requestId ?? error.metadata.get("x-request-id") ?? undefined,
    cause: error,
  });
}

/** Without a link the code has to do. */
function kindOf(error: ConnectError, docs: string | undefined): FailureKind {
  const kind = kindInLink(docs);
  if (kind !== undefined) return kind;
  if (isConnectionFailure(error)) return "NOT_REACHED";
  return KIND_OF_CODE[error.code] ?? "INTERNAL";
}

/** fetch throws a TypeError without status; Node's sockets throw errors with a code such as ECONNREFUSED. */
function isConnectionFailure({ cause, code }: ConnectError): boolean {
  if (code !== Code.Unavailable && code !== Code.Unknown && code !== Code.Internal && code !== Code.Aborted)
    return false;
  return cause instanceof TypeError || (cause instanceof Error && "code" in cause && typeof cause.code === "string");
}
