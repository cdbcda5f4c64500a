/** Runs as a thread of an adapter's process, and ends that process when a request uses up its processor time. */
import { workerData } from "node:worker_threads";

/** Shared with the adapter: the process's processor time when the request in hand began, milliseconds; 0 while it has none. */
export type RequestBegan = Float64Array<SharedArrayBuffer>;

const CHECK_EVERY_MS = 100;
const { began, capMs } = workerData as { readonly began: RequestBegan; readonly capMs: number };

setInterval(() => {
  const { user, system } = process.cpuUsage();
  const start = began[0] ?? 0;
  if (start > 0 && (user + system) / 1000 - start > capMs) process.kill(process.pid, "SIGKILL");
}, CHECK_EVERY_MS);
