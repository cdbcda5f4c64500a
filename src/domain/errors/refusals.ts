/** One reason to refuse a call. */
interface Refusal {
  /** The case of the error contract that the reason belongs to; its own name for the case itself. */
  readonly kind: string;
  /** When it happens, as the documentation says it. */
  readonly when: string;
  /** Seconds after which to try again, unless whoever refuses knows better. A reason without them has those of its kind. */
  readonly retryAfterSeconds?: number;
}

/** Every reason that a call can be refused for, each case before those that say more than it. They never change. */
export const REFUSALS = {
  INVALID_PARAMETERS: {
    kind: "INVALID_PARAMETERS",
    when: "One or more parameters are missing, malformed, out of range or in conflict.",
  },

  MALFORMED_BODY: {
    kind: "MALFORMED_BODY",
    when: "The body cannot be decoded, or the HTTP request itself is malformed.",
  },
  MALFORMED_REQUEST: {
    kind: "MALFORMED_BODY",
    when: "The bytes are not an HTTP request, or its Host header or path is malformed.",
  },
  REQUEST_TOO_SLOW: {
    kind: "MALFORMED_BODY",
    when: "The headers, or the whole request, did not arrive in time.",
  },
  HEADERS_TOO_LARGE: {
    kind: "MALFORMED_BODY",
    when: "The headers, with the path and the query, are too large.",
  },
  BODY_TOO_SLOW: { kind: "MALFORMED_BODY", when: "The body did not arrive in time." },
  BROKEN_ENVELOPE: {
    kind: "MALFORMED_BODY",
    when: "The body is not one whole message of gRPC, gRPC-Web or Connect.",
  },
  WRONG_MESSAGE_COUNT: {
    kind: "MALFORMED_BODY",
    when: "The body has no message, or several, for a call that takes one.",
  },
  COMPRESSED_WITHOUT_ENCODING: {
    kind: "MALFORMED_BODY",
    when: "A message is flagged as compressed, but no header names the compression.",
  },
  BROKEN_COMPRESSION: { kind: "MALFORMED_BODY", when: "The body is not valid gzip." },
  MALFORMED_TIMEOUT: { kind: "MALFORMED_BODY", when: "`grpc-timeout` or `connect-timeout-ms` is malformed." },
  UNKNOWN_VERSION: { kind: "MALFORMED_BODY", when: "The version of the Connect protocol is not 1." },

  UNSUPPORTED_CONTENT_TYPE: {
    kind: "UNSUPPORTED_CONTENT_TYPE",
    when: "This method does not accept the content type, or its charset is not UTF-8.",
  },

  UNSUPPORTED_COMPRESSION: {
    kind: "UNSUPPORTED_COMPRESSION",
    when: "The message is compressed, but not with gzip.",
  },

  BODY_TOO_LARGE: {
    kind: "BODY_TOO_LARGE",
    when: "The body is larger than any valid request, compressed or decompressed.",
  },

  INSUFFICIENT_ASSET_LIQUIDITY: {
    kind: "INSUFFICIENT_ASSET_LIQUIDITY",
    when: "No route exists between the tokens, or it cannot carry the amount.",
  },

  PRICE_IMPACT_TOO_HIGH: {
    kind: "PRICE_IMPACT_TOO_HIGH",
    when: "The price impact is above `priceImpactProtectionPercentage`.",
  },

  PRICE_OFF_REFERENCE: {
    kind: "PRICE_OFF_REFERENCE",
    when: "The price deviates from the operator's reference price by more than the operator allows.",
  },

  TRANSACTION_REVERTS: {
    kind: "TRANSACTION_REVERTS",
    when: "The transaction was simulated and reverts, for a reason other than the taker's balance or allowance.",
  },

  UNAUTHENTICATED: {
    kind: "UNAUTHENTICATED",
    when: "The API key is missing, malformed, unknown, revoked or expired.",
  },
  API_KEY_MISSING: { kind: "UNAUTHENTICATED", when: "No key was sent." },
  API_KEY_INVALID: { kind: "UNAUTHENTICATED", when: "There is no such key." },
  API_KEY_EXPIRED: { kind: "UNAUTHENTICATED", when: "The key, or this secret of it, has expired." },
  API_KEY_REVOKED: { kind: "UNAUTHENTICATED", when: "The key was revoked." },

  PERMISSION_DENIED: {
    kind: "PERMISSION_DENIED",
    when: "The API key is known, but not allowed for this endpoint or origin.",
  },
  METHOD_NOT_PERMITTED: { kind: "PERMISSION_DENIED", when: "The key may not make this call." },
  ORIGIN_NOT_PERMITTED: { kind: "PERMISSION_DENIED", when: "The key may not be used from this web origin." },

  NOT_FOUND: { kind: "NOT_FOUND", when: "Nothing is served at this path." },

  METHOD_NOT_ALLOWED: { kind: "METHOD_NOT_ALLOWED", when: "The path exists, but not for this HTTP method." },

  TOO_MANY_REQUESTS: {
    kind: "TOO_MANY_REQUESTS",
    when: "The account has used up its rate, or its network address or its connection has reached a limit.",
    retryAfterSeconds: 1,
  },
  TOO_MANY_KEYLESS_REQUESTS: {
    kind: "TOO_MANY_REQUESTS",
    when: "The network address, or all together, have sent too many requests without a valid key.",
  },
  TOO_MANY_OPEN_STREAMS: {
    kind: "TOO_MANY_REQUESTS",
    when: "The connection or the network address has its most open streams already.",
  },
  TOO_MANY_RESETS: {
    kind: "TOO_MANY_REQUESTS",
    when: "The network address has reset too many streams of HTTP/2.",
  },
  TOO_MANY_STREAMS: {
    kind: "TOO_MANY_REQUESTS",
    when: "The key has its most open streams of prices already.",
  },
  TOO_MANY_UNKNOWN_TOKENS: {
    kind: "TOO_MANY_REQUESTS",
    when: "Too many unknown token addresses of the account are being looked up at this time.",
  },
  TOO_MANY_WRONG_KEYS: { kind: "TOO_MANY_REQUESTS", when: "The network address has sent too many wrong keys." },

  UNAVAILABLE: {
    kind: "UNAVAILABLE",
    when: "There is no fresh state of the chain, or the service is starting, overloaded or shutting down.",
    retryAfterSeconds: 1,
  },
  OVERLOADED: { kind: "UNAVAILABLE", when: "The service has more requests than it can serve." },
  TOO_MANY_WATCHES: {
    kind: "UNAVAILABLE",
    when: "The service has its most open streams of prices, or its most different requests among them.",
    retryAfterSeconds: 5,
  },
  REFERENCE_UNAVAILABLE: {
    kind: "UNAVAILABLE",
    when: "The operator compares prices with a reference price, and no fresh one is available.",
    retryAfterSeconds: 5,
  },
  KEYS_UNREADABLE: { kind: "UNAVAILABLE", when: "The keys cannot be checked now." },
  SHUTTING_DOWN: { kind: "UNAVAILABLE", when: "The service is shutting down." },

  SETTLEMENT_NOT_DEPLOYED: {
    kind: "SETTLEMENT_NOT_DEPLOYED",
    when: "A quote needs the settlement contracts, which are not deployed on this chain. Prices work.",
    retryAfterSeconds: 60,
  },

  DEADLINE_EXCEEDED: {
    kind: "DEADLINE_EXCEEDED",
    when: "The deadline of the call passed before there was an answer.",
  },

  INTERNAL: { kind: "INTERNAL", when: "A defect of the service." },
} as const satisfies Readonly<Record<string, Refusal>>;

/** A constant that names why a call is refused. */
export type RefusalReason = keyof typeof REFUSALS;

/** A case of the error contract: what callers branch on. */
export type RefusalKind = (typeof REFUSALS)[RefusalReason]["kind"];

/** The row of a reason. Its seconds are those of its kind where it has none of its own. */
export function refusalOf(reason: RefusalReason): Refusal & { readonly kind: RefusalKind } {
  const { kind } = REFUSALS[reason];
  return { ...REFUSALS[kind], ...REFUSALS[reason] };
}
