import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const ENTRY = new URL("../../src/compose/worker.ts", import.meta.url).href;
/** Starts a search thread, and prints the niceness of the main thread and of the search thread. */
const PROGRAM = `
  const { readdirSync, readFileSync } = require("node:fs");
  const { Worker } = require("node:worker_threads");
  const read = (thread, file) => readFileSync("/proc/self/task/" + thread + "/" + file, "utf8").trim();
  const nicenessOf = (thread) => Number(read(thread, "stat").split(") ")[1].split(" ")[16]);
  const cancelled = new SharedArrayBuffer(8);
  new Worker(new URL(${JSON.stringify(ENTRY)}), { name: "search", workerData: { cancelled } }).once("message", () => {
    const search = readdirSync("/proc/self/task").find((thread) => read(thread, "comm") === "search");
    console.log(JSON.stringify([nicenessOf(process.pid), nicenessOf(search)]));
    process.exit();
  });
`;

test.runIf(process.platform === "linux").each([
  { own: 0, search: 2 },
  { own: 12, search: 14 },
  { own: 18, search: 19 },
])(
  "a search thread of a process with niceness $own more has $search, and the main thread keeps its own",
  async ({ own, search }) => {
    const args = ["-n", String(own), process.execPath, "-e", PROGRAM];
    const { stdout } = await promisify(execFile)("nice", args);
    // Tests that run with some of their own add it to both.
    const [main = 0, ofSearch] = JSON.parse(stdout) as readonly number[];
    expect([main >= own, ofSearch]).toEqual([true, Math.min(search - own + main, 19)]);
  },
);
