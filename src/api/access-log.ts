import { constants } from "node:http2";
import type { Logger } from "../ops/logger.ts";
import type { Metrics } from "../ops/metrics.ts";
import type { Exchange } from "./call.ts";
import type { Request, Response } from "./listener.ts";

/** Notes each request's end in the log and the metrics. Keys, queries and bodies are not logged. */
export function watchExchange(
  request: Request,
  response: Response,
  exchange: Exchange,
  sinks: { readonly logger: Logger; readonly metrics: Metrics },
): void {
  const { logger, metrics } = sinks;
  metrics.apiRequestsInFlight.inc();
  response.once("close", () => {
    metrics.apiRequestsInFlight.dec();
    const { protocol, operation, requestId, account, failure } = exchange;
    const seconds = (performance.now() - exchange.startedAt) / 1000;
    const outcome = isAbandoned(response) ? "ABANDONED" : (failure ?? "ok");
    metrics.apiRequests.inc({ protocol, operation, outcome });
    metrics.apiRequestSeconds.observe({ protocol, operation }, seconds);
    logger.info(
      {
        requestId,
        protocol,
        operation,
        method: request.method,
        status: response.statusCode,
        outcome,
        durationMs: Math.round(seconds * 1e6) / 1e3,
        ...(account !== undefined && { keyId: account.keyId }),
      },
      "request",
    );
  });
}

/** Whether the caller left before its answer was out. */
function isAbandoned(response: Response): boolean {
  if ("stream" in response) return response.stream.aborted || response.stream.rstCode !== constants.NGHTTP2_NO_ERROR;
  return !response.writableFinished;
}
