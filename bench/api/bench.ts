/**
 * CPU time of the service per price request, over REST, Connect POST and gRPC, as a ratio to a bare node:http answer
 * of the same size, all in one run and over several rounds.
 *
 *   npm run bench -- api            REQUESTS=2000 and ROUNDS=5 change the run
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { cpuSeconds } from "./cpu.ts";
import { bare, connectPost, grpc, type Load, rest } from "./load.ts";

const REQUESTS = Number(process.env.REQUESTS ?? 2_000);
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const AT_ONCE = 8;
const IDLE_MS = 3_000;
const KEY = "key-of-the-benchmark";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

interface Running {
  readonly child: ChildProcess;
  readonly pid: number;
  /** The first printed line that matches. */
  readonly line: RegExpMatchArray;
}

async function start(script: string, input: string, env: Record<string, string>, wanted: RegExp): Promise<Running> {
  const child = spawn(process.execPath, [script], {
    env: { PATH: process.env.PATH ?? "", ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin?.end(input);
  if (child.stdout === null || child.pid === undefined) throw new Error(`${script} did not start`);
  for await (const text of createInterface(child.stdout)) {
    const line = text.match(wanted);
    if (line !== null) return { child, pid: child.pid, line };
  }
  throw new Error(`${script} ended`);
}

async function stop({ child }: Running): Promise<void> {
  child.kill("SIGTERM");
  if (child.exitCode === null) await once(child, "exit");
}

/** CPU seconds per request, without what the process uses when nobody asks. */
async function measure(load: Load, pid: number, idlePerMs: number): Promise<number> {
  const [cpu, time] = [cpuSeconds(pid), Date.now()];
  let left = REQUESTS;
  const worker = async () => {
    while (left-- > 0) await load.send();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return (cpuSeconds(pid) - cpu - idlePerMs * (Date.now() - time)) / REQUESTS;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}

const service = await start(
  here("../../src/main.ts"),
  "",
  { PORT: "0", DEVNET_PORT: "0", TRIBUTARY_API_KEY: KEY, LOG_LEVEL: "warn" },
  /^curl .*'http:\/\/127\.0\.0\.1:(\d+)\/[^?]+\?([^']+)'/,
);
const [, port, query] = service.line;
const target = { port: Number(port), key: KEY, request: Object.fromEntries(new URLSearchParams(query)) };
const answer = await fetch(`http://127.0.0.1:${port}/swap/v1/price?${query}`, { headers: { "api-key": KEY } });
const body = await answer.text();
const plain = await start(here("bare-server.ts"), body, {}, /^(\d+)$/);

const loads = [rest(target), connectPost(target), await grpc(target)];
const reference = bare(Number(plain.line[1]));
for (const load of [...loads, reference]) for (let i = 0; i < REQUESTS / 2; i += 1) await load.send();

const before = cpuSeconds(service.pid);
await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
const idlePerMs = (cpuSeconds(service.pid) - before) / IDLE_MS;

const perRequest = new Map<string, number[]>();
for (let round = 0; round < ROUNDS; round += 1) {
  const least = await measure(reference, plain.pid, 0);
  for (const load of loads) {
    const ratio = (await measure(load, service.pid, idlePerMs)) / least;
    perRequest.set(load.name, [...(perRequest.get(load.name) ?? []), ratio]);
  }
  perRequest.set(reference.name, [...(perRequest.get(reference.name) ?? []), least * 1e6]);
}

console.log(`price, ${body.length} bytes, ${REQUESTS} requests a round, ${ROUNDS} rounds, ${AT_ONCE} at once`);
console.log(`CPU of the idle service: ${(idlePerMs * 1e5).toFixed(1)} % of a core, subtracted`);
for (const [name, values] of perRequest) {
  const unit = name === reference.name ? "µs per request" : "times the bare answer";
  const [low, mid, high] = [Math.min(...values), median(values), Math.max(...values)].map((value) => value.toFixed(1));
  console.log(`${name.padEnd(16)} ${mid?.padStart(7)} ${unit} (${low} to ${high})`);
}

for (const load of [...loads, reference]) load.close();
await stop(service);
await stop(plain);
