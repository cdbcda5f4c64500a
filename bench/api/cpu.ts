import { readdirSync, readFileSync } from "node:fs";

const NANOSECONDS = 1e9;
/** Name that the service gives its search threads. */
const SEARCH = "search";

/** CPU seconds that threads of a process have used. */
export interface ThreadSeconds {
  /** The thread that answers. */
  readonly main: number;
  readonly search: number;
  /** Threads of V8 and libuv that collect garbage, compile and read files. */
  readonly helpers: number;
}

/** CPU seconds that the threads of a process have used so far, in user and kernel, to the nanosecond. Linux only. */
export function cpuSeconds(pid: number): number {
  const { main, search, helpers } = threadSeconds(pid);
  return main + search + helpers;
}

/** CPU seconds by kinds of threads, as `cpuSeconds`. */
export function threadSeconds(pid: number): ThreadSeconds {
  const sums = { main: 0, search: 0, helpers: 0 };
  for (const thread of readdirSync(`/proc/${pid}/task`)) sums[kindOf(pid, thread)] += secondsOf(pid, thread);
  return sums;
}

function kindOf(pid: number, thread: string): keyof ThreadSeconds {
  if (thread === String(pid)) return "main";
  return readFileSync(`/proc/${pid}/task/${thread}/comm`, "utf8").trim() === SEARCH ? "search" : "helpers";
}

function secondsOf(pid: number, thread: string): number {
  return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ", 1)[0]) / NANOSECONDS;
}
