import { type DestinationStream, type Logger, pino } from "pino";
import { traceFields } from "./trace-context.ts";

export type { Logger } from "pino";

/** Everything that may be logged and must not be read in a log: keys and URLs with keys inside. */
const SECRETS = ["apiKey", "*.apiKey", "rpcUrl", "*.rpcUrl", "headers.authorization", 'headers["api-key"]'];

/** A logger that writes JSON lines to standard error, or to `destination`. Lines written in a traced call name its trace. */
export function createLogger(
  level: "trace" | "debug" | "info" | "warn" | "error" | "silent",
  destination: DestinationStream = pino.destination({ fd: 2, sync: true }),
): Logger {
  return pino({ level, redact: { paths: SECRETS, censor: "[redacted]" }, mixin: () => traceFields() }, destination);
}
