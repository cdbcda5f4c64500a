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
import { bare, connectPost, grpc, type Load, rest, restWithNewAmounts, type Target } from "./load.ts";

const REQUESTS = Number(process.env.REQUESTS ?? 2_000);
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const AT_ONCE = 8;
const IDLE_MS = 3_000;
const KEY = "key-of-the-benchmark";
/** LOG_LEVEL=info measures with a line for every request. */
const LEVEL = { LOG_LEVEL: process.env.LOG_LEVEL ?? "warn" };

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

/** What the printed address of a price is made of. */
function targetOf(line: RegExpMatchArray): Target {
  return { port: Number(line[1]), key: KEY, request: Object.fromEntries(new URLSearchParams(line[2])) };
}

/** A bare server that answers with the price that a server gives. */
async function bareFor({ port, request }: Target): Promise<Running & { readonly bytes: number }> {
  const url = `http://127.0.0.1:${port}/swap/v1/price?${new URLSearchParams(request)}`;
  const body = await (await fetch(url, { headers: { "api-key": KEY } })).text();
  return { ...(await start(here("bare-server.ts"), body, {}, /^(\d+)$/)), bytes: body.length };
}

async function idlePerMsOf({ pid }: Running): Promise<number> {
  const before = cpuSeconds(pid);
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  return (cpuSeconds(pid) - before) / IDLE_MS;
}

/** Prints what each load costs as a ratio to the bare server's answer, round by round so that all meet the same noise. */
async function compare(title: string, subject: Running, loads: readonly Load[], target: Target): Promise<void> {
  const plain = await bareFor(target);
  const reference = bare(Number(plain.line[1]));
  for (const load of [...loads, reference]) for (let i = 0; i < REQUESTS / 2; i += 1) await load.send();
  const idlePerMs = await idlePerMsOf(subject);
  const perRequest = new Map<string, number[]>();
  const note = (name: string, value: number) => perRequest.set(name, [...(perRequest.get(name) ?? []), value]);
  for (let round = 0; round < ROUNDS; round += 1) {
    const least = await measure(reference, plain.pid, 0);
    for (const load of loads) note(load.name, (await measure(load, subject.pid, idlePerMs)) / least);
    note(reference.name, least * 1e6);
  }
  console.log(
    `\n${title}: price of ${plain.bytes} bytes, ${REQUESTS} requests a round, ${ROUNDS} rounds, ${AT_ONCE} at once`,
  );
  console.log(`CPU of the idle process: ${(idlePerMs * 1e5).toFixed(1)} % of a core, subtracted`);
  for (const [name, values] of perRequest) {
    const unit = name === reference.name ? "µs per request" : "times the bare answer";
    const [low, mid, high] = [Math.min(...values), median(values), Math.max(...values)].map((value) =>
      value.toFixed(1),
    );
    console.log(`${name.padEnd(22)} ${mid?.padStart(7)} ${unit} (${low} to ${high})`);
  }
  for (const load of [...loads, reference]) load.close();
  await stop(plain);
}

const door = await start(
  here("door.ts"),
  "",
  { TRIBUTARY_API_KEY: KEY, ...LEVEL },
  /^http:\/\/127\.0\.0\.1:(\d+)\/[^?]+\?(.+)$/,
);
const atDoor = targetOf(door.line);
await compare(
  "The door alone, no search behind it",
  door,
  [
    rest("REST, cached", atDoor),
    restWithNewAmounts("REST, search excluded", atDoor),
    connectPost(atDoor),
    await grpc(atDoor),
  ],
  atDoor,
);
await stop(door);

const service = await start(
  here("../../src/main.ts"),
  "",
  { PORT: "0", DEVNET_PORT: "0", TRIBUTARY_API_KEY: KEY, ...LEVEL },
  /^curl .*'http:\/\/127\.0\.0\.1:(\d+)\/[^?]+\?([^']+)'/,
);
const target = targetOf(service.line);
await compare(
  "The service on its devnet, one search for a block and request",
  service,
  [
    rest("REST, same request", target),
    restWithNewAmounts("REST, new amounts", target),
    connectPost(target),
    await grpc(target),
  ],
  target,
);
await stop(service);
