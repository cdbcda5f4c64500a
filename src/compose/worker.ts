import { getPriority, setPriority } from "node:os";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { createRouter } from "../routing/create-router.ts";
import type { FromThread, ToThread } from "../threads/messages.ts";
import { SearchServer } from "../threads/search-server.ts";

/**
 * Niceness of a search thread above the process's, so that answers which need no search, and the chain, are not kept waiting by those
 * that do. With 10 a busy machine gave half as many prices, and probes waited as long.
 */
const NICENESS = 2;
/** The most that there is. */
const MAX_NICENESS = 19;

/** Entry point of a search thread: a router over the feed's market. */
function serve(port: MessagePort): void {
  const cancelled = new Int32Array(workerData.cancelled);
  const server = new SearchServer(createRouter(), cancelled, (message) => port.postMessage(message));
  port.on("message", (message: ToThread) => server.take(message));
  port.postMessage({ kind: "ready" } satisfies FromThread);
}

if (parentPort === null) throw new Error("this file is what the service runs in its search threads");
// Linux alone sets it for the calling thread; elsewhere it would be the whole process.
if (process.platform === "linux") setPriority(Math.min(getPriority() + NICENESS, MAX_NICENESS));
serve(parentPort);
