import type { RefusalReason } from "../../domain/errors/refusals.ts";
import type { SwapError } from "../../domain/errors/swap-error.ts";
import type { ViolationReason } from "../../domain/errors/violations.ts";
import type { CallSpan } from "../../ops/spans.ts";
import type { Account } from "../keys/key-store.ts";
import type { KeylessKind } from "../limits/keyless.ts";
import type { DecodeProblem } from "../rest/decode-problem.ts";
import type { CallerGone } from "./deadline.ts";

/** Protocol of a call. */
export type ProtocolName = "rest" | "connect" | "grpc" | "grpc-web" | "http";

/** One request from its first line to its log line. Filled in on the way. */
export interface Exchange {
  readonly requestId: string;
  readonly startedAt: number;
  protocol: ProtocolName;
  /** The method of the service, or the path of an operation. */
  operation: string;
  account?: Account;
  /** Name of the service's method, for calls that need a key. */
  method?: string;
  /** Units of its limit that the account was charged. */
  units?: number;
  /** Steps that searches have taken for the call so far. */
  steps?: number;
  /** Charges the account for more units before the call goes on. @throws SwapError where it has used up its rate */
  charge?: (units: number) => Promise<void>;
  /** Charges the account for those, once the call is over. */
  settle?: (steps: number) => Promise<void>;
  /** The call's place in its caller's trace; pages that need no key have none. */
  span?: CallSpan;
  /** Looks again whether the key that opened the call still does. @throws SwapError */
  recheck?: () => void;
  /** Charges the caller's network for more of what needs no key. @throws SwapError */
  chargeKeyless?: (kind: KeylessKind) => void;
  /** Adds headers to the answer, as long as its head has not been sent. */
  readonly addHeaders: (headers: Readonly<Record<string, string>>) => void;
  /** Breaks the connection or the HTTP/2 stream, for callers that do not read what they are told. */
  readonly cut: () => void;
  /** Why the call was refused before its message was looked at. */
  refusal?: SwapError | undefined;
  problems: readonly DecodeProblem[];
  /** The kind of refusal that was answered, for log and metrics. */
  failure?: string | undefined;
  /** Constants that say more of it than its kind, for the log. */
  reasons?: readonly (RefusalReason | ViolationReason)[];
}

/** Caller of a method. */
export interface Caller {
  readonly gone: CallerGone;
  /** Time that the caller waits, if it says. */
  readonly timeoutMs: number | undefined;
}

/** One call of the swap service, decoded and allowed. */
export interface Call {
  readonly requestId: string;
  readonly account: Account;
  readonly problems: readonly DecodeProblem[];
  /** Aborted when the caller is gone, or its deadline has passed. */
  readonly signal: AbortSignal;
  /** When the caller stops waiting, as milliseconds since the epoch. Absent: never. */
  readonly deadlineMs?: number;
  /** Charges for what is asked beside the call's own units. @throws SwapError where the account has used up its rate */
  readonly charge?: (units: number) => Promise<void>;
  /** Told of the steps of each search that is made for the call. */
  readonly spent?: (steps: number) => void;
}

/** Notes what a request is refused for. */
export function noteRefusal(exchange: Exchange, { kind, reason, violations }: SwapError): void {
  exchange.failure = kind;
  // The sources' reasons for a request without a route belong to the answer, and are the same for every such request.
  const told = kind === "INVALID_PARAMETERS" ? violations.map((violation) => violation.reason) : [];
  exchange.reasons = [...new Set([reason, ...told])].filter((one) => one !== kind);
}
