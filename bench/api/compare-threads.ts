import { execFileSync } from "node:child_process";
import { cpus } from "node:os";
import { join } from "node:path";
import { freePort } from "../../fixtures/free-port.ts";
import { BesideSearches } from "./beside-searches.ts";
import { bareFor, dataDir, here, startService, stop, targetOf } from "./service.ts";

/** Numbers of search threads that are compared with none. */
const THREADS = (process.env.THREADS ?? "1,2").split(",").map(Number);
/** Turns of each of them, and how long one is. */
const TURNS = Number(process.env.TURNS ?? 10);
const TURN_MS = 2_000;
/** Folder of an older checkout whose service, as it is set by default, is compared with ours. */
const { BEFORE } = process.env;

/** A service and what it is measured by: ours with search threads or none, or that of another checkout, which has one thread. */
async function startBeside(warm: number, threads: number, checkout?: string) {
  const name = checkout === undefined ? `SEARCH_THREADS=${threads}` : "before";
  const set =
    checkout === undefined
      ? { SEARCH_THREADS: String(threads), DEEP_SEARCHES: "0" }
      : { DATA_DIR: join(dataDir, "before") };
  const flags = ["--import", here("loop-delay.ts")];
  const metricsPort = await freePort();
  const ports = { METRICS_PORT: String(metricsPort) };
  const service = await startService(flags, { ...set, ...ports, BENCH_NAME: name }, checkout);
  const target = targetOf(service.line);
  const plain = await bareFor(target);
  const beside = new BesideSearches({
    name,
    target,
    pid: service.pid,
    threads,
    metricsPort,
    barePort: Number(plain.line[1]),
  });
  await beside.warm(warm);
  return { service, plain, beside };
}

/** Keeps the load on one core, so that it takes no part of the others. What it starts later stays there too. Linux only. */
function pinToLastCore(): void {
  execFileSync("taskset", ["-c", "-p", String(cpus().length - 1), String(process.pid)], { stdio: "ignore" });
}

/** All are asked in turn, a short time each: the machine's speed changes within minutes. */
export async function compareThreads(warm: number): Promise<void> {
  const all = [];
  for (const threads of [0, ...THREADS]) all.push(await startBeside(warm, threads));
  const before = BEFORE === undefined ? undefined : await startBeside(warm, 0, BEFORE);
  if (before !== undefined) all.push(before);
  pinToLastCore();
  for (let turn = 0; turn < TURNS; turn += 1) for (const { beside } of all) await beside.slice(TURN_MS);
  for (const { beside } of all) beside.show();
  console.log("");
  const [none, ...some] = all.filter((one) => one !== before).map(({ beside }) => beside);
  for (const beside of some) beside.compareWith(none!);
  if (before !== undefined) for (const beside of [none!, ...some]) beside.compareWith(before.beside);
  for (const { service, plain, beside } of all) {
    await beside.close();
    await stop(plain);
    await stop(service);
  }
}
