/**
 * Loaded before a service (`--import`): SIGUSR2 begins to watch how late its main thread's event loop comes to its turns, and the
 * next one ends that. Percentiles are printed when the service ends, on standard error; the first delay after each pause is the pause.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

/** Milliseconds between two looks, which the histogram counts as delay. */
const RESOLUTION_MS = 1;

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let isWatching = false;
  process.on("SIGUSR2", () => {
    if (isWatching) delay.disable();
    else delay.enable();
    isWatching = !isWatching;
  });
  process.on("exit", () => {
    const late = (share: number) => (delay.percentile(share) / 1e6 - RESOLUTION_MS).toFixed(1);
    process.stderr.write(
      `event loop's delay, ${process.env.BENCH_NAME}: p50 ${late(50)} ms, p99 ${late(99)} ms (goal 10)\n`,
    );
  });
}
