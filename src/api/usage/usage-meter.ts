import type { Logger } from "../../ops/logger.ts";
import type { UsageDatabase, UsageRow } from "./usage-database.ts";

/** Counts calls as they are answered. */
export interface UsageMeter {
  count(call: Pick<UsageRow, "keyId" | "method" | "outcome" | "units">): void;
}

/** A meter that writes down what it has counted. */
export interface KeptUsageMeter extends UsageMeter {
  /** Writes what was counted since the last time. What cannot be written now is kept for the next time. */
  flush(): void;
  /** Writes the rest. @throws Error when it cannot be written */
  stop(): void;
}

/** Milliseconds between two writings: what a power cut may take away. */
const FLUSH_EVERY_MS = 2_000;

const SECONDS_PER_MINUTE = 60;

/** For a service that keeps no usage. */
export const noUsageMeter: UsageMeter = { count() {} };

export function createUsageMeter(
  database: Pick<UsageDatabase, "add">,
  options: { readonly logger: Logger; readonly now?: () => number },
): KeptUsageMeter {
  const { logger, now = Date.now } = options;
  let counted = new Map<string, UsageRow>();
  let failing = false;
  const write = () => {
    database.add([...counted.values()]);
    counted = new Map();
  };
  const flush = () => {
    try {
      write();
      failing = false;
    } catch (error) {
      if (!failing) logger.error({ err: error }, "usage cannot be written: it is kept in memory");
      failing = true;
    }
  };
  const timer = setInterval(flush, FLUSH_EVERY_MS);
  timer.unref();

  return {
    count({ keyId, method, outcome, units }) {
      const seconds = Math.floor(now() / 1_000);
      const minute = seconds - (seconds % SECONDS_PER_MINUTE);
      const name = `${minute} ${keyId} ${method} ${outcome}`;
      const row = counted.get(name);
      const [requests, sum] = [(row?.requests ?? 0) + 1, (row?.units ?? 0) + units];
      counted.set(name, { minute, keyId, method, outcome, requests, units: sum });
    },
    flush,
    stop() {
      clearInterval(timer);
      write();
    },
  };
}
