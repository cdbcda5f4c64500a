import { readdirSync, readFileSync } from "node:fs";

const NANOSECONDS = 1e9;

/** CPU seconds that the threads of a process have used so far, in user and kernel, to the nanosecond. Linux only. */
export function cpuSeconds(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.reduce((sum, thread) => sum + threadNanoseconds(pid, thread), 0) / NANOSECONDS;
}

function threadNanoseconds(pid: number, thread: string): number {
  return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ", 1)[0]);
}
