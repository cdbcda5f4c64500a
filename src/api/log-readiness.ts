import type { Logger } from "../ops/logger.ts";
import type { Readiness } from "./http/probes.ts";

/**
 * Logs when prices and quotes can be given from now on, and when not, and why: the lines of the calls that are refused
 * meanwhile say no more than UNAVAILABLE. To be told again and again how it stands.
 */
export function logReadiness(
  logger: Logger,
  /** Milliseconds, from any beginning. */
  now: () => number,
): (state: ReturnType<Readiness>) => void {
  let ready: boolean | undefined;
  let since = now();
  return (state) => {
    if (state.ready === ready) return;
    const seconds = Math.round((now() - since) / 1_000);
    const { reason } = state;
    if (state.ready) logger.info(ready === undefined ? {} : { seconds }, "prices and quotes can be given");
    else if (ready === undefined) logger.info({ reason }, "no prices and quotes can be given yet");
    else logger.warn({ reason }, "no prices and quotes can be given");
    ready = state.ready;
    since = now();
  };
}
