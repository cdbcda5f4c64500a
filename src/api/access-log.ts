import { constants } from "node:http2";
import type { Logger } from "../ops/logger.ts";
import type { Metrics } from "../ops/metrics.ts";
import { traceFields } from "../ops/trace-context.ts";
import type { Exchange } from "./calls/call.ts";
import type { Request, Response } from "./http/listener.ts";
import type { Malformed } from "./http/malformed.ts";
import type { UsageMeter } from "./usage/usage-meter.ts";

/** Outcomes that are the service's fault, or its node's; the others are answers that the caller asked for. */
const FAULTS: ReadonlySet<string> = new Set(["INTERNAL", "UNAVAILABLE", "DEADLINE_EXCEEDED"]);

/** Notes each request's end in the log, the metrics and the usage. Keys, queries and bodies are not logged. */
export interface AccessLog {
  watch(request: Request, response: Response, exchange: Exchange): void;
  /** Notes what was answered without ever having been a request. */
  malformed(answer: Malformed): void;
  /** Resolves when every request that was begun has been noted. */
  allNoted(): Promise<void>;
}

export function createAccessLog(sinks: {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly usage: UsageMeter;
}): AccessLog {
  const { metrics } = sinks;
  let open = 0;
  const waiting: (() => void)[] = [];
  return {
    watch(request, response, exchange) {
      open++;
      metrics.apiRequestsInFlight.inc();
      response.once("close", () => {
        open--;
        metrics.apiRequestsInFlight.dec();
        note(request, response, exchange, sinks);
        if (open === 0) for (const resolve of waiting.splice(0)) resolve();
      });
    },
    malformed({ requestId, reason, status }) {
      const what = { protocol: "http", operation: "unknown", outcome: "MALFORMED_BODY" } as const;
      metrics.apiRequests.inc(what);
      sinks.logger.info({ requestId, ...what, status, reasons: [reason] }, "request");
    },
    allNoted: () => (open === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}

function note(
  request: Request,
  response: Response,
  exchange: Exchange,
  { logger, metrics, usage }: { readonly logger: Logger; readonly metrics: Metrics; readonly usage: UsageMeter },
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
  logger.info(
    {
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
    },
    "request",
  );
}

/** Whether the caller left before its answer was out. */
function isAbandoned(response: Response): boolean {
  if ("stream" in response) return response.stream.aborted || response.stream.rstCode !== constants.NGHTTP2_NO_ERROR;
  return !response.writableFinished;
}
