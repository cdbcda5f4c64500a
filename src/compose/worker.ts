import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { createRouter } from "../routing/create-router.ts";
import type { FromThread, ToThread } from "../threads/messages.ts";
import { SearchServer } from "../threads/search-server.ts";

/** Entry point of a search thread: a router over the feed's market. */
function serve(port: MessagePort): void {
  const cancelled = new Int32Array(workerData.cancelled);
  const server = new SearchServer(createRouter(), cancelled, (message) => port.postMessage(message));
  port.on("message", (message: ToThread) => server.take(message));
  port.postMessage({ kind: "ready" } satisfies FromThread);
}

if (parentPort === null) throw new Error("this file is what the service runs in its search threads");
serve(parentPort);
