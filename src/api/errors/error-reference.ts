import { Code } from "@connectrpc/connect";
import { REFUSALS, type RefusalKind, type RefusalReason, refusalOf } from "../../domain/errors/refusals.ts";
import { VIOLATIONS, type ViolationReason } from "../../domain/errors/violations.ts";
import { ERROR_CASES, type ErrorCase, OWN_STATUS } from "./error-cases.ts";
import { VIOLATION_CODES, type ViolationCode } from "./violation-codes.ts";

/** One kind of refusal as the documentation explains it. */
export interface ErrorEntry extends Pick<ErrorCase, "code" | "httpStatus" | "advice"> {
  readonly kind: RefusalKind;
  /** The codes of gRPC and Connect, as text. */
  readonly rpcCodes: string;
  readonly when: string;
  /** Whether the answer says when to try again. */
  readonly waits: boolean;
  /** The constants that say more than the kind. */
  readonly reasons: readonly { readonly reason: RefusalReason; readonly when: string }[];
}

const REASONS = Object.keys(REFUSALS) as readonly RefusalReason[];

/** Every kind of refusal. docs/errors.md, /docs/errors and openapi.json are made from this list. */
export const ERROR_REFERENCE: readonly ErrorEntry[] = REASONS.filter(
  (reason): reason is RefusalKind => reason === REFUSALS[reason].kind,
).map((kind) => {
  const { code, httpStatus, advice, ...codes } = ERROR_CASES[kind];
  const { when, retryAfterSeconds } = refusalOf(kind);
  const reasons = REASONS.filter((reason) => reason !== kind && REFUSALS[reason].kind === kind);
  return {
    ...{ kind, code, httpStatus, advice, when, rpcCodes: codesText(codes) },
    waits: retryAfterSeconds !== undefined,
    reasons: reasons.map((reason) => ({ reason, when: withOwnStatus(reason) })),
  };
});

/** Every reason of a violation. */
export const VIOLATION_REFERENCE: readonly {
  readonly reason: ViolationReason;
  readonly code: ViolationCode;
  readonly when: string;
}[] = (Object.keys(VIOLATIONS) as readonly ViolationReason[]).map((reason) => ({
  reason,
  code: VIOLATION_CODES[reason],
  when: VIOLATIONS[reason],
}));

/** When a reason is given, with the status that it has instead of its kind's. */
function withOwnStatus(reason: RefusalReason): string {
  const own = OWN_STATUS[reason];
  const { when } = REFUSALS[reason];
  if (own === undefined) return when;
  const status = "rpcCode" in own ? `gRPC ${grpcName(own.rpcCode)}` : `HTTP ${own.httpStatus}`;
  return `${when.slice(0, -1)} (${status}).`;
}

function codesText({ rpcCode, grpcCode }: Pick<ErrorCase, "rpcCode" | "grpcCode">): string {
  return grpcCode === undefined ? grpcName(rpcCode) : `${grpcName(grpcCode)} (Connect: ${grpcName(rpcCode)})`;
}

/** INVALID_ARGUMENT for Code.InvalidArgument. */
function grpcName(code: Code): string {
  return Code[code].replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase();
}
