import { writeSync } from "node:fs";
import { type DestinationStream, type Logger, pino } from "pino";
import { traceFields } from "./trace-context.ts";

export type { Logger } from "pino";

/** Everything that may be logged and must not be read in a log: keys and URLs with keys inside. */
const SECRETS = ["apiKey", "*.apiKey", "rpcUrl", "*.rpcUrl", "headers.authorization", 'headers["api-key"]'];

/** Least severe level that is logged. */
export type LogLevel = "trace" | "debug" | "info" | "warn" | "error" | "silent";

/** A logger that writes JSON lines to standard error, or to `destination`. Lines written in a traced call name its trace. */
export function createLogger(level: LogLevel, destination: DestinationStream = standardError()): Logger {
  return pino({ level, redact: { paths: SECRETS, censor: "[redacted]" }, mixin: () => traceFields() }, destination);
}

const STANDARD_ERROR = 2;

/** Characters of lines that go out together, and milliseconds after which fewer do. */
const GATHERED = 4_096;
const GATHERED_MS = 200;
/** Characters that are held while nobody takes any; what comes then is lost. */
const MAX_HELD = 1_048_576;

/** Lines of this severity (pino's number of "warn") and above do not wait for others. */
const AT_ONCE = 40;

/**
 * Standard error, to which lines go in lots: one write for each would cost a good part of what a cached answer does. What
 * is gathered goes out before the process ends, also by an exception that nobody catches. A log that cannot be written (its
 * disk is full, who reads it has gone, a pipe that does not block is full) neither ends the process nor holds it up: lines are
 * lost then.
 */
function standardError(): DestinationStream {
  let gathered = "";
  let timer: NodeJS.Timeout | undefined;
  let opened = false;
  /** The reader accepts nothing at present: writing is retried now and then, not with every line. */
  let stalled = false;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    let left = Buffer.from(gathered);
    gathered = "";
    stalled = false;
    try {
      while (left.length > 0) left = left.subarray(writeSync(STANDARD_ERROR, left));
    } catch (error) {
      stalled = error instanceof Error && "code" in error && error.code === "EAGAIN";
      if (stalled) gathered = left.toString();
    }
    if (stalled) timer = setTimeout(flush, GATHERED_MS).unref();
  }

  const stream = {
    // Asks pino to say how severe each line is.
    [Symbol.for("pino.metadata")]: true,
    lastLevel: 0,
    write(line: string) {
      if (!opened) process.once("exit", flush);
      opened = true;
      if (gathered.length < MAX_HELD) gathered += line;
      if (!stalled && (stream.lastLevel >= AT_ONCE || gathered.length >= GATHERED)) flush();
      else timer ??= setTimeout(flush, GATHERED_MS).unref();
    },
  };
  return stream;
}
