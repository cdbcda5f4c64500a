import type { SwapError } from "../../domain/errors/swap-error.ts";
import { docsLink, ERROR_CASES, retryAfterOf } from "./error-cases.ts";
import { codedViolation } from "./violation-codes.ts";

/** Code of validation errors: only such bodies carry violations. */
const VALIDATION = 100;

/** A refusal as the REST body of the contract. */
export function restErrorBody(error: SwapError, requestId: string): string {
  const { code } = ERROR_CASES[error.kind];
  return JSON.stringify({
    code,
    reason: error.reason,
    description: error.message,
    ...(code === VALIDATION && { validationErrors: error.violations.map(codedViolation) }),
    requestId,
    docs: docsLink(error.kind),
  });
}

/** Headers that go with a refusal. */
export function errorHeaders(error: SwapError): Record<string, string> {
  const retryAfter = retryAfterOf(error);
  return {
    ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
    ...(error.kind === "UNAUTHENTICATED" && { "www-authenticate": "ApiKey" }),
  };
}
