/** A search thread that ends, each time or the first time only, where a query asks for it by its most fills. */
import { existsSync, writeFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { createRouter } from "../../../src/routing/create-router.ts";
import type { RouteRequest } from "../../../src/routing/router.ts";
import { SearchServer } from "../../../src/threads/search-server.ts";

const router = createRouter();
const MARK = process.env.DYING_WORKER_MARK;

/** Whether this is the first thread to ask. */
function isFirst(): boolean {
  if (MARK === undefined || existsSync(MARK)) return false;
  writeFileSync(MARK, "");
  return true;
}

function fillMemory(): never {
  const held: number[][] = [];
  for (;;) held.push(new Array<number>(2_000_000).fill(held.length + 0.5));
}

const NOTHING_COMES = new Int32Array(new SharedArrayBuffer(4));

const DEATHS: Readonly<Record<number, (request: RouteRequest) => unknown>> = {
  1: () => process.exit(3),
  2: () => isFirst() && process.exit(3),
  3: () => isFirst() && fillMemory(),
  4: () => {
    if (!isFirst()) return;
    // Endless, in steps that leave the processor to others.
    for (;;) Atomics.wait(NOTHING_COMES, 0, 0, 10);
  },
  5: () => {
    throw new TypeError("the router is at fault");
  },
  // No end by itself: one for those that are told to stop.
  7: ({ budget }) => {
    while (!budget.expired()) Atomics.wait(NOTHING_COMES, 0, 0, 1);
  },
};

if (process.env.DYING_WORKER_NEVER_STARTS !== undefined) throw new Error("this thread does not start");
const server = new SearchServer(
  {
    findBest(request) {
      DEATHS[request.budget.maxFills]?.(request);
      return router.findBest(request);
    },
  },
  new Int32Array(workerData.cancelled),
  (message) => parentPort?.postMessage(message),
);
parentPort?.on("message", (message) => {
  // A thread that throws outside of a search.
  if (message.kind === "search" && message.search.budget.maxFills === 6 && isFirst()) throw new Error("a defect");
  server.take(message);
});
parentPort?.postMessage({ kind: "ready" });
