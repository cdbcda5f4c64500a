import type { SwapErrorKind } from "../domain/swap-error.ts";
import { ERROR_CASES } from "./errors.ts";
import { REFUSAL_REASONS } from "./refusal-reasons.ts";
import { VIOLATION_REASONS } from "./violation-reasons.ts";

/** Names of the numbers that Connect and gRPC share. */
const GRPC_NAMES: Readonly<Record<number, string>> = {
  3: "INVALID_ARGUMENT",
  4: "DEADLINE_EXCEEDED",
  7: "PERMISSION_DENIED",
  8: "RESOURCE_EXHAUSTED",
  9: "FAILED_PRECONDITION",
  12: "UNIMPLEMENTED",
  13: "INTERNAL",
  14: "UNAVAILABLE",
  16: "UNAUTHENTICATED",
};

/** docs/errors.md, made from the tables that the service answers by. */
export function errorsPage(): string {
  const cases = Object.entries(ERROR_CASES) as [SwapErrorKind, (typeof ERROR_CASES)[SwapErrorKind]][];
  const sections = cases.map(
    ([kind, it]) =>
      `### ${kind}\n\nHTTP ${it.httpStatus}, code ${it.code}, gRPC ${GRPC_NAMES[it.rpcCode]}.\n\n${it.when}\n\n${it.advice}\n${reasonsOf(kind)}`,
  );
  const reasons = VIOLATION_REASONS.map(({ reason, code, when }) => `| \`${reason}\` | ${code} | ${when} |`);
  return `${INTRODUCTION}\n## Refusals\n\n${sections.join("\n")}\n${ITEMS}\n${reasons.join("\n")}\n`;
}

/** The constants that say more than the name of a refusal. */
function reasonsOf(kind: SwapErrorKind): string {
  const lines = Object.entries(REFUSAL_REASONS[kind] ?? {}).map(([reason, when]) => `- \`${reason}\`: ${when}\n`);
  return lines.length === 0 ? "" : `\nIts \`reason\` may say more:\n\n${lines.join("")}`;
}

const INTRODUCTION = `# Errors

Made from the tables in \`src/api\`; a test compares.

Over REST a refusal is
\`{"code", "reason", "description", "validationErrors", "requestId", "docs"}\`: \`reason\` is a constant that never
changes, \`description\` a sentence for people, \`validationErrors\` (code 100 only) names every problem of the request at
once, and \`docs\` leads to a section below. Connect and gRPC carry the same in \`google.rpc.ErrorInfo\` (the constant),
\`BadRequest\` (the problems), \`RetryInfo\` and \`QuotaFailure\`. Every answer has the header \`x-request-id\`.
`;

const ITEMS = `## Items of validationErrors

Each item is \`{"field", "code", "reason", "description"}\`.

| reason | code | when |
|---|---|---|`;
