/**
 * Loaded before a service (`--import`): prints how late its main thread's event loop came to its turns since the last SIGUSR2,
 * with each one, on standard error.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

/** Milliseconds between two looks, which the histogram counts as delay. */
const RESOLUTION_MS = 1;

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  process.on("SIGUSR2", () => {
    const late = (share: number) => (delay.percentile(share) / 1e6 - RESOLUTION_MS).toFixed(1);
    process.stderr.write(
      `event loop's delay: p50 ${late(50)} ms, p99 ${late(99)} ms, most ${late(100)} ms (goal p99 10)\n`,
    );
    delay.reset();
  });
}
