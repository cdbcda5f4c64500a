import { Code } from "@connectrpc/connect";
import type { SwapError, SwapErrorKind } from "../../domain/swap-error.ts";

/** How one kind of refusal looks on the wire. */
export interface ErrorCase {
  /** Number of the REST body's `code`. */
  readonly code: 100 | 101 | 103 | 104 | 105 | 107 | 108 | 110;
  readonly httpStatus: number;
  /** Connect and gRPC share these numbers. */
  readonly rpcCode: Code;
  /** What gRPC's own specification has instead. */
  readonly grpcCode?: Code;
  /** Seconds after which to try again, when whoever refuses does not know better. */
  readonly retryAfterSeconds?: number;
  /** For the documentation: when it happens. */
  readonly when: string;
  /** For the documentation: what the caller does about it. */
  readonly advice: string;
}

/** Every refusal there is. docs/errors.md and /docs/errors are made from this table. */
export const ERROR_CASES: Readonly<Record<SwapErrorKind, ErrorCase>> = {
  INVALID_PARAMETERS: {
    code: 100,
    httpStatus: 400,
    rpcCode: Code.InvalidArgument,
    when: "One or more parameters are missing, malformed, out of range or in conflict.",
    advice: "Read `validationErrors`: it names every problem of the request at once. Do not repeat the call unchanged.",
  },
  MALFORMED_BODY: {
    code: 101,
    httpStatus: 400,
    rpcCode: Code.InvalidArgument,
    grpcCode: Code.Internal,
    when: "The body cannot be decoded, or the HTTP request itself is malformed.",
    advice: "Send JSON or protobuf of the message that the method takes.",
  },
  UNSUPPORTED_CONTENT_TYPE: {
    code: 101,
    httpStatus: 415,
    rpcCode: Code.InvalidArgument,
    when: "The content type is none that this method takes, or its charset is not UTF-8.",
    advice: "Send `application/json` in UTF-8, `application/proto`, or a gRPC or gRPC-Web content type.",
  },
  UNSUPPORTED_COMPRESSION: {
    code: 101,
    httpStatus: 415,
    rpcCode: Code.Unimplemented,
    when: "The message is compressed with something else than gzip.",
    advice:
      "Send it in gzip, or as it is. The answer names what is read in `accept-encoding` or `grpc-accept-encoding`.",
  },
  BODY_TOO_LARGE: {
    code: 101,
    httpStatus: 413,
    rpcCode: Code.ResourceExhausted,
    when: "The body is larger than any valid request, as it came or once it is decompressed.",
    advice: "Send the parameters only.",
  },
  INSUFFICIENT_ASSET_LIQUIDITY: {
    code: 100,
    httpStatus: 400,
    rpcCode: Code.FailedPrecondition,
    when: "No route exists between the tokens, or it cannot carry the amount.",
    advice: "Ask for a smaller amount, or allow more sources. The pair may become possible with a later block.",
  },
  PRICE_IMPACT_TOO_HIGH: {
    code: 100,
    httpStatus: 400,
    rpcCode: Code.FailedPrecondition,
    when: "The price impact is above `priceImpactProtectionPercentage`.",
    advice: "Ask for a smaller amount, or raise the limit if the impact is acceptable.",
  },
  TRANSACTION_REVERTS: {
    code: 105,
    httpStatus: 400,
    rpcCode: Code.FailedPrecondition,
    when: "The transaction was simulated and reverts, for a reason other than the taker's balance or allowance.",
    advice: "Read `description`: it holds the decoded reason. A token may forbid this transfer.",
  },
  UNAUTHENTICATED: {
    code: 107,
    httpStatus: 401,
    rpcCode: Code.Unauthenticated,
    when: "The API key is missing, malformed, unknown, revoked or expired.",
    advice: "Send a valid key in the header (gRPC: metadata) `api-key`.",
  },
  PERMISSION_DENIED: {
    code: 107,
    httpStatus: 403,
    rpcCode: Code.PermissionDenied,
    when: "The API key is known, but not allowed for this endpoint or origin.",
    advice: "Use a key with that scope, or have the scope added.",
  },
  NOT_FOUND: {
    code: 104,
    httpStatus: 404,
    rpcCode: Code.Unimplemented,
    when: "Nothing is served at this path.",
    advice: "Check the path: `/swap/v1/price`, `/swap/v1/price/stream`, `/swap/v1/quote` and `/swap/v1/sources` exist.",
  },
  METHOD_NOT_ALLOWED: {
    code: 104,
    httpStatus: 405,
    rpcCode: Code.Unimplemented,
    when: "The path exists, but not for this HTTP method.",
    advice: "Use a method that the header `Allow` names.",
  },
  TOO_MANY_REQUESTS: {
    code: 103,
    httpStatus: 429,
    rpcCode: Code.ResourceExhausted,
    retryAfterSeconds: 1,
    when: "The account has used up its rate, or its network address or its connection has reached a limit.",
    advice:
      "Wait for the time that `Retry-After` (gRPC: `RetryInfo`) names. With the reason `TOO_MANY_WRONG_KEYS`: correct the key. With `TOO_MANY_OPEN_STREAMS`: open further streams on another connection.",
  },
  UNAVAILABLE: {
    code: 108,
    httpStatus: 503,
    rpcCode: Code.Unavailable,
    retryAfterSeconds: 1,
    when: "There is no fresh state of the chain, or the service is starting, overloaded or shutting down.",
    advice: "Try again after the time that `Retry-After` names. The service never answers with an old price instead.",
  },
  SETTLEMENT_NOT_DEPLOYED: {
    code: 108,
    httpStatus: 503,
    rpcCode: Code.FailedPrecondition,
    retryAfterSeconds: 60,
    when: "A quote was asked for on a chain where the settlement contracts do not stand. Prices work.",
    advice: "The operator deploys them; trying again does not help before that.",
  },
  DEADLINE_EXCEEDED: {
    code: 108,
    httpStatus: 504,
    rpcCode: Code.DeadlineExceeded,
    when: "The deadline of the call passed before there was an answer.",
    advice: "Give the call more time, or try again.",
  },
  INTERNAL: {
    code: 110,
    httpStatus: 500,
    rpcCode: Code.Internal,
    when: "A defect of the service.",
    advice: "Report it with the request id. Nothing of the inside is told.",
  },
};

/** Codes of reasons that have one of their own, the same on Connect and gRPC. */
const CODES_BY_REASON: Readonly<Record<string, Code>> = {
  WRONG_MESSAGE_COUNT: Code.Unimplemented,
  COMPRESSED_WITHOUT_ENCODING: Code.Internal,
};

/** The code of a refusal over Connect, or over gRPC and gRPC-Web. */
export function rpcCodeOf({ kind, reason }: SwapError, isGrpc: boolean): Code {
  const { rpcCode, grpcCode = rpcCode } = ERROR_CASES[kind];
  return CODES_BY_REASON[reason] ?? (isGrpc ? grpcCode : rpcCode);
}

/** The codes of a kind of refusal for the documentation. */
export function codesText({ rpcCode, grpcCode }: ErrorCase): string {
  return grpcCode === undefined ? grpcName(rpcCode) : `${grpcName(grpcCode)} (Connect: ${grpcName(rpcCode)})`;
}

/** INVALID_ARGUMENT for Code.InvalidArgument. */
function grpcName(code: Code): string {
  return Code[code].replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase();
}

/** Where a kind of refusal is explained, relative to the service. */
export function docsLink(kind: SwapErrorKind): string {
  return `/docs/errors#${kind.toLowerCase()}`;
}

/** Whole seconds after which trying again makes sense, or undefined when it never does. */
export function retryAfterOf(error: SwapError): number | undefined {
  const seconds = error.retryAfterSeconds ?? ERROR_CASES[error.kind].retryAfterSeconds;
  return seconds === undefined ? undefined : Math.ceil(seconds);
}
