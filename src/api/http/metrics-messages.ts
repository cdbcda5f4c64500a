import type { MetricsText } from "./metrics-server.ts";
import type { ReadyState } from "./probes.ts";

/** Data that the metrics thread begins with. */
export interface MetricsThreadData {
  readonly host: string;
  readonly port: number;
  readonly state: ReadyState;
}

/** Message to the metrics thread. Each one also says that the main thread is not held up. */
export type ToMetricsThread =
  | { readonly kind: "state"; readonly state: ReadyState }
  /** Metrics that were asked for; undefined where they could not be collected. */
  | { readonly kind: "metrics"; readonly text: MetricsText | undefined };

/** Message of the metrics thread. */
export type FromMetricsThread =
  | { readonly kind: "listening"; readonly port: number }
  | { readonly kind: "refused"; readonly code: string | undefined; readonly message: string }
  | { readonly kind: "collect" };
