import { type DestinationStream, type Logger, pino } from "pino";
import { traceFields } from "./trace-context.ts";

export type { Logger } from "pino";

/** Everything that may be logged and must not be read in a log: keys and URLs with keys inside. */
const SECRETS = ["apiKey", "*.apiKey", "rpcUrl", "*.rpcUrl", "headers.authorization", 'headers["api-key"]'];

/** A logger that writes JSON lines to standard error, or to `destination`. Lines written in a traced call name its trace. */
export function createLogger(
  level: "trace" | "debug" | "info" | "warn" | "error" | "silent",
  destination: DestinationStream = standardError(),
): Logger {
  return pino({ level, redact: { paths: SECRETS, censor: "[redacted]" }, mixin: () => traceFields() }, destination);
}

/** Bytes of lines that go out together, and milliseconds after which fewer do. */
const GATHERED = { minLength: 4_096, periodicFlush: 200 };

/** Lines of this severity (pino's number of "warn") and above do not wait for others. */
const AT_ONCE = 40;

/**
 * Standard error, to which lines go in lots: one write for each would cost a good part of what a cached answer does. What
 * is gathered goes out before the process ends, also by an exception that nobody catches.
 */
function standardError(): DestinationStream {
  let out: ReturnType<typeof pino.destination> | undefined;
  const open = () => {
    const opened = pino.destination({ fd: 2, sync: true, ...GATHERED });
    process.once("exit", () => opened.flushSync());
    return opened;
  };
  const stream = {
    // Asks pino to say how severe each line is.
    [Symbol.for("pino.metadata")]: true,
    lastLevel: 0,
    write(line: string) {
      out ??= open();
      out.write(line);
      if (stream.lastLevel >= AT_ONCE) out.flushSync();
    },
  };
  return stream;
}
