import { Code } from "@connectrpc/connect";
import type { RefusalKind, RefusalReason } from "../../domain/errors/refusals.ts";
import type { SwapError } from "../../domain/errors/swap-error.ts";

/** Form of one kind of refusal on the wire. */
export interface ErrorCase {
  /** Number of the REST body's `code`. */
  readonly code: 100 | 101 | 103 | 104 | 105 | 107 | 108 | 110;
  readonly httpStatus: number;
  /** Connect and gRPC share these numbers. */
  readonly rpcCode: Code;
  /** Code that gRPC's own specification has instead. */
  readonly grpcCode?: Code;
  /** For the documentation: what the caller does about it. */
  readonly advice: string;
}

/** Every kind of refusal as the protocols spell it. */
export const ERROR_CASES: Readonly<Record<RefusalKind, ErrorCase>> = {
  INVALID_PARAMETERS: {
    code: 100,
    httpStatus: 400,
    rpcCode: Code.InvalidArgument,
    advice: "Read `validationErrors`: it names every problem of the request at once. Do not repeat the call unchanged.",
  },
  MALFORMED_BODY: {
    code: 101,
    httpStatus: 400,
    rpcCode: Code.InvalidArgument,
    grpcCode: Code.Internal,
    advice: "Send JSON or protobuf of the message that the method takes.",
  },
  UNSUPPORTED_CONTENT_TYPE: {
    code: 101,
    httpStatus: 415,
    rpcCode: Code.InvalidArgument,
    advice: "Send `application/json` in UTF-8, `application/proto`, or a gRPC or gRPC-Web content type.",
  },
  UNSUPPORTED_COMPRESSION: {
    code: 101,
    httpStatus: 415,
    rpcCode: Code.Unimplemented,
    advice:
      "Compress with gzip, or not at all. `accept-encoding` or `grpc-accept-encoding` of the answer lists what is accepted.",
  },
  BODY_TOO_LARGE: {
    code: 101,
    httpStatus: 413,
    rpcCode: Code.ResourceExhausted,
    advice: "Send the parameters only, within the size that `description` names.",
  },
  INSUFFICIENT_ASSET_LIQUIDITY: {
    code: 100,
    httpStatus: 400,
    rpcCode: Code.FailedPrecondition,
    advice: "Ask for a smaller amount, or allow more sources. The pair may become possible with a later block.",
  },
  PRICE_IMPACT_TOO_HIGH: {
    code: 100,
    httpStatus: 400,
    rpcCode: Code.FailedPrecondition,
    advice: "Ask for a smaller amount, or raise the limit if the impact is acceptable.",
  },
  PRICE_OFF_REFERENCE: {
    code: 100,
    httpStatus: 400,
    rpcCode: Code.FailedPrecondition,
    advice: "Read `description`: it has both prices. Ask for a smaller amount, or again at a later block.",
  },
  TRANSACTION_REVERTS: {
    code: 105,
    httpStatus: 400,
    rpcCode: Code.FailedPrecondition,
    advice: "Read `description`: it holds the decoded reason. A token may forbid this transfer.",
  },
  UNAUTHENTICATED: {
    code: 107,
    httpStatus: 401,
    rpcCode: Code.Unauthenticated,
    advice: "Send a valid key in the header (gRPC: metadata) `api-key`.",
  },
  PERMISSION_DENIED: {
    code: 107,
    httpStatus: 403,
    rpcCode: Code.PermissionDenied,
    advice: "Use a key with that scope and origin, or ask the operator to add them.",
  },
  NOT_FOUND: {
    code: 104,
    httpStatus: 404,
    rpcCode: Code.Unimplemented,
    advice: "Check the path: `description` lists those that exist.",
  },
  METHOD_NOT_ALLOWED: {
    code: 104,
    httpStatus: 405,
    rpcCode: Code.Unimplemented,
    advice: "Use a method that the header `Allow` names.",
  },
  TOO_MANY_REQUESTS: {
    code: 103,
    httpStatus: 429,
    rpcCode: Code.ResourceExhausted,
    advice:
      "Wait for the time that `Retry-After` (gRPC: `RetryInfo`) names. With the reason `TOO_MANY_WRONG_KEYS`: correct the key. With `TOO_MANY_OPEN_STREAMS`: open further streams on another connection.",
  },
  UNAVAILABLE: {
    code: 108,
    httpStatus: 503,
    rpcCode: Code.Unavailable,
    advice: "Try again after the time that `Retry-After` names. The service never answers with an old price instead.",
  },
  SETTLEMENT_NOT_DEPLOYED: {
    code: 108,
    httpStatus: 503,
    rpcCode: Code.FailedPrecondition,
    advice: "Ask the operator to deploy them. Repeating the call does not help before that.",
  },
  DEADLINE_EXCEEDED: {
    code: 108,
    httpStatus: 504,
    rpcCode: Code.DeadlineExceeded,
    advice: "Give the call more time, or try again.",
  },
  INTERNAL: {
    code: 110,
    httpStatus: 500,
    rpcCode: Code.Internal,
    advice: "Report it with the request id. The cause is in the service's log only.",
  },
};

/** Statuses of single reasons that differ from those of their kind. */
export const OWN_STATUS: Readonly<
  Partial<Record<RefusalReason, { readonly httpStatus: number } | { readonly rpcCode: Code }>>
> = {
  REQUEST_TOO_SLOW: { httpStatus: 408 },
  HEADERS_TOO_LARGE: { httpStatus: 431 },
  WRONG_MESSAGE_COUNT: { rpcCode: Code.Unimplemented },
  COMPRESSED_WITHOUT_ENCODING: { rpcCode: Code.Internal },
};

/** The HTTP status of a refusal. */
export function httpStatusOf({ kind, reason }: SwapError): number {
  return { ...ERROR_CASES[kind], ...OWN_STATUS[reason] }.httpStatus;
}

/** The code of a refusal over Connect, or over gRPC and gRPC-Web. */
export function rpcCodeOf({ kind, reason }: SwapError, isGrpc: boolean): Code {
  const { rpcCode, grpcCode = rpcCode } = ERROR_CASES[kind];
  const own = OWN_STATUS[reason];
  if (own !== undefined && "rpcCode" in own) return own.rpcCode;
  return isGrpc ? grpcCode : rpcCode;
}

/** Link to the explanation of a kind of refusal, relative to the service. */
export function docsLink(kind: RefusalKind): string {
  return `/docs/errors#${kind.toLowerCase()}`;
}

/** Whole seconds after which trying again makes sense, or undefined when it never does. */
export function retryAfterOf({ retryAfterSeconds }: SwapError): number | undefined {
  return retryAfterSeconds === undefined ? undefined : Math.ceil(retryAfterSeconds);
}
