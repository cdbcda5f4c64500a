import { ConnectError } from "@connectrpc/connect";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  QuotaFailureSchema,
  RequestInfoSchema,
  RetryInfoSchema,
} from "#gen/google/rpc/error_details_pb.ts";
import type { RefusalReason } from "../../domain/errors/refusals.ts";
import type { SwapError } from "../../domain/errors/swap-error.ts";
import type { Violation } from "../../domain/errors/violations.ts";
import { docsLink, ERROR_CASES, retryAfterOf, rpcCodeOf } from "./error-cases.ts";

/** The domain of ErrorInfo: the constants are those of this API. */
const DOMAIN = "swap.v1";

/** Subjects of used-up quotas, by the reason of the refusal; the account's otherwise. */
const SUBJECTS: Readonly<Partial<Record<RefusalReason, string>>> = {
  TOO_MANY_WRONG_KEYS: "address",
  TOO_MANY_KEYLESS_REQUESTS: "address",
  TOO_MANY_RESETS: "address",
  TOO_MANY_OPEN_STREAMS: "connection",
};

/**
 * Bytes of a refusal's message and violations at most over gRPC, which puts both, as base64, into a block of headers with the
 * message once more: clients made of gRPC's C core (Python, C++, Ruby …) drop answers with more than 8 KiB of these.
 */
const MAX_IN_HEADERS = 4 * 1_024;
/** And where they stand in the body: nonsense is not repeated without end. */
const MAX_IN_BODY = 24 * 1_024;
/** Bytes around a violation's texts. */
const VIOLATION_FRAME = 12;

/** A refusal as a protocol tells it, with google.rpc details. */
export function toConnectError(
  error: SwapError,
  requestId: string,
  protocol: "connect" | "grpc" | "grpc-web",
): ConnectError {
  const { code } = ERROR_CASES[error.kind];
  const retry = retryAfterOf(error);
  const details: Extract<ConnectError["details"][number], { readonly desc: unknown }>[] = [
    {
      desc: ErrorInfoSchema,
      value: { reason: error.reason, domain: DOMAIN, metadata: { code: String(code), docs: docsLink(error.kind) } },
    },
    { desc: RequestInfoSchema, value: { requestId } },
  ];
  if (error.violations.length > 0) {
    const most = protocol === "grpc" ? MAX_IN_HEADERS - Buffer.byteLength(error.message) : MAX_IN_BODY;
    const fieldViolations = asManyAsFit(error.violations, most).map(({ field, reason, description }) => ({
      field,
      reason,
      description,
    }));
    details.push({ desc: BadRequestSchema, value: { fieldViolations } });
  }
  if (retry !== undefined) {
    details.push({ desc: RetryInfoSchema, value: { retryDelay: { seconds: BigInt(retry) } } });
  }
  if (error.kind === "TOO_MANY_REQUESTS") {
    details.push({
      desc: QuotaFailureSchema,
      value: { violations: [{ subject: SUBJECTS[error.reason] ?? "account", description: error.message }] },
    });
  }
  const metadata = retry === undefined ? undefined : { "retry-after": String(retry) };
  return new ConnectError(error.message, rpcCodeOf(error, protocol !== "connect"), metadata, details);
}

/** The first violations, as many as `most` bytes hold. */
function asManyAsFit(violations: readonly Violation[], most: number): readonly Violation[] {
  let bytes = 0;
  return violations.filter(({ field, reason, description }) => {
    bytes += Buffer.byteLength(field + reason + description) + VIOLATION_FRAME;
    return bytes <= most;
  });
}
