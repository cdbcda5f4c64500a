import type { SwapErrorKind } from "../../domain/swap-error.ts";

/** Constants that `reason` has instead of the name of the refusal where more can be said. They never change. */
export const REFUSAL_REASONS: Readonly<Partial<Record<SwapErrorKind, Readonly<Record<string, string>>>>> = {
  MALFORMED_BODY: {
    MALFORMED_REQUEST: "This is not a request of HTTP, or its Host or path is malformed.",
    REQUEST_TOO_SLOW: "The headers, or the whole request, did not arrive in time (HTTP 408).",
    HEADERS_TOO_LARGE: "The headers, with the path and the query, are too large (HTTP 431).",
    BODY_TOO_SLOW: "The body did not arrive in time.",
    BROKEN_ENVELOPE: "The body is not one whole message of gRPC, gRPC-Web or Connect.",
    WRONG_MESSAGE_COUNT: "The body of a call that takes one message holds none, or several (gRPC UNIMPLEMENTED).",
    COMPRESSED_WITHOUT_ENCODING: "A message is flagged as compressed, and no header says how (gRPC INTERNAL).",
    BROKEN_COMPRESSION: "The body is not what gzip makes.",
    MALFORMED_TIMEOUT: "`grpc-timeout` or `connect-timeout-ms` is no timeout.",
    UNKNOWN_VERSION: "The version of Connect is another one than 1.",
  },
  UNAUTHENTICATED: {
    API_KEY_MISSING: "No key was sent.",
    API_KEY_INVALID: "There is no such key.",
    API_KEY_EXPIRED: "The key, or this secret of it, has expired.",
    API_KEY_REVOKED: "The key was revoked.",
  },
  PERMISSION_DENIED: {
    METHOD_NOT_PERMITTED: "The key may not make this call.",
    ORIGIN_NOT_PERMITTED: "The key may not be used from this web origin.",
  },
  TOO_MANY_REQUESTS: {
    TOO_MANY_KEYLESS_REQUESTS: "The network address, or all together, have sent too many requests without a valid key.",
    TOO_MANY_OPEN_STREAMS: "The connection, or the network address, has as many streams open as it may.",
    TOO_MANY_RESETS: "The network address has reset too many streams of HTTP/2.",
    TOO_MANY_STREAMS: "The key has as many streams of prices open as one key may.",
    TOO_MANY_UNKNOWN_TOKENS: "The account has as many unknown token addresses looked up at a time as one account may.",
    TOO_MANY_WRONG_KEYS: "The network address has sent too many wrong keys.",
  },
  UNAVAILABLE: {
    OVERLOADED: "More is asked for than can be served.",
    TOO_MANY_WATCHES:
      "As many streams of prices are open, or as many different requests watched, as the operator allows.",
    KEYS_UNREADABLE: "The keys cannot be checked now.",
    SHUTTING_DOWN: "The service is shutting down.",
  },
};

/** The constants that say more than the name of a kind of refusal, with what they mean. */
export function reasonsOf(kind: string): readonly (readonly [reason: string, meaning: string])[] {
  return Object.entries(REFUSAL_REASONS[kind as SwapErrorKind] ?? {});
}
