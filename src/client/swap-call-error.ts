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

/** Kinds that the same call may not meet again a moment later. */
const PASSING: ReadonlySet<FailureKind> = new Set<FailureKind>([
  "NOT_REACHED",
  "TOO_MANY_REQUESTS",
  "UNAVAILABLE",
  "DEADLINE_EXCEEDED",
]);

/** Facts about a call that failed. */
interface Failure {
  readonly message: string;
  readonly kind: FailureKind;
  readonly reason?: string | undefined;
  readonly problems?: readonly FieldProblem[] | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

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

  constructor({ message, kind, reason = kind, problems = [], retryAfterSeconds, requestId, cause }: Failure) {
    super(message, { cause });
    this.kind = kind;
    this.reason = reason;
    this.problems = problems;
    this.isRetryable = PASSING.has(kind);
    this.retryAfterSeconds = retryAfterSeconds;
    this.requestId = requestId;
  }
}

/** The error that the service would answer with for these problems. */
export function invalidRequest(problems: readonly FieldProblem[]): SwapCallError {
  return new SwapCallError({ message: problems[0]?.description ?? "", kind: "INVALID_PARAMETERS", problems });
}

/** The service's link to its documentation ends in the kind. */
export function kindInLink(docs: unknown): FailureKind | undefined {
  return typeof docs === "string" ? (docs.split("#")[1]?.toUpperCase() as RefusalKind | undefined) : undefined;
}

/** Seconds that a Retry-After header asks for. The service sends a number, proxies may send a date. */
export function secondsIn(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  const seconds = / GMT$/.test(header) ? Math.ceil((Date.parse(header) - Date.now()) / 1_000) : Number.NaN;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
