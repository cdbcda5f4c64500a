import { readFileSync } from "node:fs";

/** Clock ticks per second of /proc (USER_HZ), 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** CPU seconds that a process has used so far, in user and kernel. Linux only. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
