import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { VERSION } from "./version.ts";

/** Metrics of the service, named `tributary_<area>_<what>_<unit>`; process_* and nodejs_* have Node's usual names. */
export interface Metrics {
  readonly registry: Registry;
  /** Requests answered, by protocol, operation and outcome ("ok", or the kind of refusal). */
  readonly apiRequests: Counter<"protocol" | "operation" | "outcome">;
  /** Requests that ended with a defect of ours. There from the start, as 0: its increase shows the first one as well. */
  readonly apiDefects: Counter;
  /** Seconds from the request's headers to the end of its answer. */
  readonly apiRequestSeconds: Histogram<"protocol" | "operation">;
  /** Requests that are being answered now. */
  readonly apiRequestsInFlight: Gauge;
}

/** Seconds: from a cached price to the longest deadline. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** A registry of its own for each service, so that two can live in one process. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const build = { name: "tributary_build_info", help: "1, with the version of the program", labelNames: ["version"] };
  new Gauge({ ...build, registers }).set({ version: VERSION }, 1);
  return {
    registry,
    apiRequests: new Counter({
      name: "tributary_api_requests_total",
      help: "Requests answered, by protocol, operation and outcome",
      labelNames: ["protocol", "operation", "outcome"],
      registers,
    }),
    apiDefects: new Counter({
      name: "tributary_api_defects_total",
      help: "Requests that ended with a defect of the service",
      registers,
    }),
    apiRequestSeconds: new Histogram({
      name: "tributary_api_request_duration_seconds",
      help: "Time from a request's headers to the end of its answer",
      labelNames: ["protocol", "operation"],
      buckets: DURATION_BUCKETS,
      registers,
    }),
    apiRequestsInFlight: new Gauge({
      name: "tributary_api_requests_in_flight",
      help: "Requests that are being answered now",
      registers,
    }),
  };
}
