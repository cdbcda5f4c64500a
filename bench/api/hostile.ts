/**
 * The service on its devnet, with its default options, while it is attacked from 20 addresses without a key and by three
 * callers with one: whether a client that behaves is still served. Prints each figure beside its goal, and fails when one is
 * missed.
 *
 *   npm run bench -- hostile               ten minutes; `--seconds 60` for a look, `--only resets,keys` for some attacks;
 *                                          with SEARCH_THREADS as it is set
 */
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openKeys } from "../../src/stores/open-stores.ts";
import { quantile } from "../quantile.ts";
import type { Attack } from "./hostile-callers.ts";

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "600" }, only: { type: "string" } },
});
const RUN_MS = Number(values.seconds) * 1_000;
const { SEARCH_THREADS } = process.env;
const THREADS = SEARCH_THREADS === undefined ? {} : { SEARCH_THREADS };
/** Seconds of quiet before the attack, in which the service gets warm. */
const WARM_UP_MS = 10_000;
const PRICES_EVERY_MS = 200;
const QUOTES_EVERY_MS = 1_000;
const PROBES_EVERY_MS = 250;
const LOOK_EVERY_MS = 1_000;
/** Log lines are counted over so many seconds. */
const LOG_WINDOW = 10;
const MIB = 2 ** 20;
const GOALS = { rssMiB: 700, p50Ms: 30, p99Ms: 300, probeP99Ms: 50, linesPerSecond: 100 };

/** Calls of one client: how long each took, and counts of those not answered with 200. */
interface Calls {
  readonly tookMs: number[];
  readonly failures: Map<string, number>;
}

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const newCalls = (): Calls => ({ tookMs: [], failures: new Map() });

/** Keys of the client that behaves and of three that do not, made as an operator makes them. */
async function makeKeys(dataDir: string): Promise<readonly string[]> {
  const { database } = openKeys({ dataDir, pepper: undefined });
  const terms = { expiresAt: null, methods: null, origins: null, integrator: null, surplus: null, limit: null };
  const keys: string[] = [];
  for (const account of ["good", "hostile-1", "hostile-2", "hostile-3"])
    keys.push((await database.create({ ...terms, account, label: account })).key);
  database.close();
  return keys;
}

async function startService(dataDir: string) {
  const service = spawn(process.execPath, [here("../../src/main.ts")], {
    env: { PATH: process.env.PATH ?? "", PORT: "0", DEVNET_PORT: "0", DATA_DIR: dataDir, ...THREADS },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines = countLines(service);
  const printed = /^curl .*'http:\/\/127\.0\.0\.1:(\d+)\/[^?]+\?([^']+)'/;
  for await (const text of createInterface(service.stdout)) {
    const line = text.match(printed);
    if (line === null) continue;
    service.stdout.resume();
    return { service, lines, port: Number(line[1]), request: Object.fromEntries(new URLSearchParams(line[2])) };
  }
  throw new Error("the service did not start");
}

/** Lines of the log by their second, as they say themselves. */
function countLines({ stderr }: ChildProcess): Map<number, number> {
  const perSecond = new Map<number, number>();
  if (stderr === null) throw new Error("the service has no log");
  createInterface(stderr).on("line", (line) => {
    const second = Math.floor(Number(/"time":(\d+)/.exec(line)?.[1] ?? Date.now()) / 1_000);
    perSecond.set(second, (perSecond.get(second) ?? 0) + 1);
  });
  return perSecond;
}

/** The most lines per second over some seconds on end. */
function mostLines(perSecond: ReadonlyMap<number, number>, from: number): number {
  const seconds = [...perSecond.keys()].filter((second) => second >= from);
  const sums = seconds.map((second) =>
    Array.from({ length: LOG_WINDOW }, (_, i) => perSecond.get(second + i) ?? 0).reduce((sum, count) => sum + count, 0),
  );
  return Math.max(0, ...sums) / LOG_WINDOW;
}

/** Asks for a path again and again, each time when it is due, however long the answers take. */
async function askEvery(
  ms: number,
  until: number,
  calls: Calls,
  options: { readonly port: number; readonly key?: string; readonly path: () => string },
): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const { port, key, path } = options;
  const headers = key === undefined ? {} : { "api-key": key };
  const ask = async () => {
    const start = performance.now();
    const outcome = await new Promise<string>((resolve) => {
      const call = httpRequest({ agent, host: "127.0.0.1", port, path: path(), headers }, (response) => {
        response.resume().once("end", () => resolve(String(response.statusCode)));
      });
      call.setTimeout(30_000, () => call.destroy(new Error("no answer for 30 s")));
      call.once("error", (error) => resolve(error.message)).end();
    });
    calls.tookMs.push(performance.now() - start);
    if (outcome !== "200") calls.failures.set(outcome, (calls.failures.get(outcome) ?? 0) + 1);
  };
  const asked: Promise<void>[] = [];
  for (let due = Date.now(); due < until; due += ms) {
    await wait(Math.max(0, due - Date.now()));
    asked.push(ask());
  }
  await Promise.all(asked);
  agent.destroy();
}

/** Resident memory of a process, MiB. Linux only. */
function rssMiB(pid: number): number {
  return (Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1_024) / MIB;
}

/** Calls of a client that behaves, and of whoever probes the service; its memory all the while. */
async function watchService(
  { port, request }: { readonly port: number; readonly request: Readonly<Record<string, string>> },
  pid: number,
  key: string,
  until: number,
) {
  let more = 0n;
  const query = () => {
    more += 1n;
    return new URLSearchParams({ ...request, sellAmount: String(BigInt(request.sellAmount ?? 0) + more) });
  };
  const [client, probes] = [newCalls(), newCalls()];
  let rss = 0;
  const memory = setInterval(() => {
    try {
      rss = Math.max(rss, rssMiB(pid));
    } catch {
      // The process has ended, which is told apart.
    }
  }, LOOK_EVERY_MS);
  await Promise.all([
    askEvery(PRICES_EVERY_MS, until, client, { port, key, path: () => `/swap/v1/price?${query()}` }),
    askEvery(QUOTES_EVERY_MS, until, client, { port, key, path: () => `/swap/v1/quote?${query()}` }),
    ...["/livez", "/readyz"].map((path) => askEvery(PROBES_EVERY_MS, until, probes, { port, path: () => path })),
  ]);
  clearInterval(memory);
  return { client, probes, rss };
}

function show(calls: Calls): string {
  const failures = [...calls.failures].map(([outcome, count]) => `${count} × ${outcome}`).join(", ");
  return failures === "" ? "none" : failures;
}

/** Prints a figure beside its goal. @returns whether it is met */
function judge(name: string, figure: string, goal: string, isMet: boolean): boolean {
  console.log(`${isMet ? "ok  " : "FAIL"} ${name.padEnd(42)} ${figure.padStart(12)}   goal ${goal}`);
  return isMet;
}

const atMost = (name: string, figure: number, goal: number, unit: string) =>
  judge(name, `${figure.toFixed(1)} ${unit}`, `≤ ${goal} ${unit}`, figure <= goal);

async function main(): Promise<boolean> {
  const dataDir = mkdtempSync(join(tmpdir(), "bench-hostile-"));
  const [good = "", ...hostile] = await makeKeys(dataDir);
  const { service, lines, port, request } = await startService(dataDir);
  const { pid = 0 } = service;
  let hasEnded = false;
  service.once("exit", () => {
    hasEnded = true;
  });
  const calm = await watchService({ port, request }, pid, good, Date.now() + WARM_UP_MS);
  console.log(
    `before the attack: client p50 ${quantile(calm.client.tookMs, 0.5).toFixed(1)} ms, failures ${show(calm.client)}`,
  );
  const attack: Attack = {
    port,
    keys: hostile,
    request,
    ...(values.only !== undefined && { only: values.only.split(",") }),
  };
  const attackers = fork(here("hostile-callers.ts"), { env: { PATH: process.env.PATH ?? "" } });
  attackers.send(attack);
  const from = Math.ceil(Date.now() / 1_000);
  const { client, probes, rss } = await watchService({ port, request }, pid, good, Date.now() + RUN_MS);
  attackers.send("report");
  const [report] = await once(attackers, "message");
  attackers.kill("SIGKILL");
  console.log(`\nafter ${values.seconds} s of attack:\n${report}`);
  console.log(
    `client: ${client.tookMs.length} calls, failures ${show(client)}; probes ${probes.tookMs.length}, failures ${show(probes)}`,
  );
  const met = [
    atMost("memory of the service at its peak", rss, GOALS.rssMiB, "MiB"),
    judge("service ended by itself", hasEnded ? "yes" : "no", "no", !hasEnded),
    judge(
      "staleness: 503 of client and probes",
      String(unavailable(client) + unavailable(probes)),
      "0",
      unavailable(client) + unavailable(probes) === 0,
    ),
    judge(
      "other failures of client and probes",
      String(failed(client) + failed(probes)),
      "0",
      failed(client) + failed(probes) === 0,
    ),
    atMost("client, p50", quantile(client.tookMs, 0.5), GOALS.p50Ms, "ms"),
    atMost("client, p99", quantile(client.tookMs, 0.99), GOALS.p99Ms, "ms"),
    atMost("/livez and /readyz, p99", quantile(probes.tookMs, 0.99), GOALS.probeP99Ms, "ms"),
    atMost(`log lines a second, most over ${LOG_WINDOW} s`, mostLines(lines, from), GOALS.linesPerSecond, ""),
  ];
  service.kill("SIGTERM");
  if (!hasEnded) await once(service, "exit");
  rmSync(dataDir, { recursive: true });
  return met.every(Boolean);
}

function unavailable({ failures }: Calls): number {
  return failures.get("503") ?? 0;
}

function failed({ failures }: Calls): number {
  return [...failures].reduce((sum, [outcome, count]) => sum + (outcome === "503" ? 0 : count), 0);
}

process.exitCode = (await main()) ? 0 : 1;
