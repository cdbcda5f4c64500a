import { constants } from "node:http2";
import type { Logger } from "../ops/logger.ts";
import type { Metrics } from "../ops/metrics.ts";
import { traceFields } from "../ops/trace-context.ts";
import type { Exchange } from "./calls/call.ts";
import type { Malformed } from "./http/malformed.ts";
import type { Request, Response } from "./http/messages.ts";
import type { Ledger } from "./limits/ledger.ts";
import type { UsageMeter } from "./usage/usage-meter.ts";

/** Outcomes that are the service's fault, or its node's; the others are answers that the caller asked for. */
const FAULTS: ReadonlySet<string> = new Set(["INTERNAL", "UNAVAILABLE", "DEADLINE_EXCEEDED"]);

/** Part of all lines that one caller may have, as a divisor: none fills the log, and others stay in sight. */
const CALLER_PART = 5;

/** Milliseconds between two lines about requests that have none of their own. */
const TELL_EVERY_MS = 1_000;

/**
 * Notes each request's end in the log, the metrics and the usage. Keys, queries and bodies are not logged. Under a flood the
 * log has some of the requests, and each second the number of the others.
 */
export interface AccessLog {
  watch(request: Request, response: Response, exchange: Exchange): void;
  /** Notes what was answered without ever having been a request. */
  malformed(answer: Malformed): void;
  /** Resolves when every request that was begun has been noted. */
  allNoted(): Promise<void>;
  /** Tells what has no line yet. */
  stop(): void;
}

interface Sinks {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly usage: UsageMeter;
}

/** @param linesPerSecond 0: one for each request */
export function createAccessLog(sinks: Sinks, linesPerSecond: number, ledger: Ledger): AccessLog {
  const { metrics } = sinks;
  const lines = boundedLines(sinks.logger, linesPerSecond, ledger);
  let open = 0;
  const waiting: (() => void)[] = [];
  return {
    watch(request, response, exchange) {
      open++;
      metrics.apiRequestsInFlight.inc();
      response.once("close", () => {
        open--;
        metrics.apiRequestsInFlight.dec();
        note(request, response, exchange, { ...sinks, write: lines.write });
        if (open === 0) for (const resolve of waiting.splice(0)) resolve();
      });
    },
    malformed({ requestId, reason, status }) {
      const what = { protocol: "http", operation: "unknown", outcome: "MALFORMED_BODY" } as const;
      metrics.apiRequests.inc(what);
      lines.write(undefined, { requestId, ...what, status, reasons: [reason] });
    },
    stop: lines.stop,
    allNoted: () => (open === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}

function note(
  request: Request,
  response: Response,
  exchange: Exchange,
  { metrics, usage, write }: Sinks & { readonly write: WriteLine },
): void {
  const { protocol, operation, requestId, account, method, units = 0, failure, reasons = [], span } = exchange;
  const seconds = (performance.now() - exchange.startedAt) / 1000;
  const outcome = isAbandoned(response) ? "ABANDONED" : (failure ?? "ok");
  metrics.apiRequests.inc({ protocol, operation, outcome });
  if (failure === "INTERNAL") metrics.apiDefects.inc();
  metrics.apiRequestSeconds.observe({ protocol, operation }, seconds);
  if (account !== undefined && method !== undefined) usage.count({ keyId: account.keyId, method, outcome, units });
  const keyId = account?.keyId;
  span?.end(
    { outcome, "http.response.status_code": response.statusCode, ...(keyId !== undefined && { keyId }) },
    FAULTS.has(outcome) ? outcome : undefined,
  );
  write(keyId, {
    requestId,
    ...(span !== undefined && traceFields(span.context)),
    protocol,
    operation,
    method: request.method,
    status: response.statusCode,
    outcome,
    ...(reasons.length > 0 && { reasons }),
    durationMs: Math.round(seconds * 1e6) / 1e3,
    ...(keyId !== undefined && { keyId }),
  });
}

interface RequestLine {
  readonly protocol: string;
  readonly operation: string;
  readonly outcome: string;
  readonly [field: string]: unknown;
}

/** @param keyId absent: the caller has no valid key, and shares its part with all others that have none */
type WriteLine = (keyId: string | undefined, line: RequestLine) => void;

/** Lines of requests, as many as may be in a second, and what is left out as numbers. */
function boundedLines(
  logger: Logger,
  perSecond: number,
  ledger: Ledger,
): { readonly write: WriteLine; readonly stop: () => void } {
  const leftOut = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  const all = { what: "log lines", who: "", perSecond, burst: perSecond };
  const part = Math.max(1, Math.floor(perSecond / CALLER_PART));
  const tell = () => {
    clearTimeout(timer);
    timer = undefined;
    if (leftOut.size === 0) return;
    const requests = [...leftOut.values()].reduce((sum, count) => sum + count, 0);
    logger.warn({ requests, kinds: Object.fromEntries(leftOut) }, "requests without a line of their own");
    leftOut.clear();
  };
  const mayWrite = (keyId = "") =>
    perSecond === 0 ||
    (ledger.spend({ what: "log lines of a caller", who: keyId, perSecond: part, burst: 2 * part }).allowed &&
      ledger.spend(all).allowed);
  return {
    write(keyId, line) {
      if (mayWrite(keyId)) return logger.info(line, "request");
      const kind = `${line.operation} ${line.outcome}`;
      leftOut.set(kind, (leftOut.get(kind) ?? 0) + 1);
      timer ??= setTimeout(tell, TELL_EVERY_MS).unref();
    },
    stop: tell,
  };
}

/** Whether the caller left before its answer was out. */
function isAbandoned(response: Response): boolean {
  if ("stream" in response) return response.stream.aborted || response.stream.rstCode !== constants.NGHTTP2_NO_ERROR;
  return !response.writableFinished;
}
