/**
 * CPU time of the service per price request, over REST, Connect POST and gRPC, as a ratio to a bare node:http answer
 * of the same size: both are asked in turn, at the same moment and rate, by the same callers, and the median of many rounds
 * is shown. Then how the service does when far more is asked for than it can do, what an entry of a ladder costs beside a
 * single price, and a quote beside one, how late streams are told of a block, and, for prices that have to be searched for, the
 * share of CPU time that gRPC's and Connect's wire formats take.
 *
 *   npm run bench -- api            REQUESTS=800, ROUNDS=15, WARM=15000 and THREADS=1,2 and TURNS=10 change the run; ONLY=door, service,
 *                                 overload, fair, threads, ladder, quote, streams or wire is a part of it
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { fileURLToPath } from "node:url";
import { quantile } from "../quantile.ts";
import { BesideSearches } from "./beside-searches.ts";
import { cpuSeconds } from "./cpu.ts";
import { showFairShare } from "./fair-share.ts";
import { showLadderCost } from "./ladder-cost.ts";
import { bare, connectPost, fresh, grpc, type Load, rest, same, type Target } from "./load.ts";
import { showOverload } from "./overload.ts";
import { showQuoteCost } from "./quote-cost.ts";
import { BLOCK_EVERY_MS, showStreams } from "./streams.ts";
import { shareOfWire } from "./wire-share.ts";

/** In a round, to each of the two that are compared. */
const REQUESTS = Number(process.env.REQUESTS ?? 800);
const ROUNDS = Number(process.env.ROUNDS ?? 15);
/** Requests of each load before it is measured: the compiler is busy with what is new. Where searches are, a part of that. */
const WARM = Number(process.env.WARM ?? 15_000);
const { ONLY } = process.env;
/** Numbers of search threads that are compared with none. */
const THREADS = (process.env.THREADS ?? "1,2").split(",").map(Number);
/** Turns of each of them, and how long one is. */
const TURNS = Number(process.env.TURNS ?? 10);
const TURN_MS = 2_000;
const AT_ONCE = 8;
const IDLE_MS = 3_000;
const KEY = "key-of-the-benchmark";
/** LOG_LEVEL=info measures with a line for every request. */
const LEVEL = { LOG_LEVEL: process.env.LOG_LEVEL ?? "error" };

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

interface Running {
  readonly child: ChildProcess;
  readonly pid: number;
  /** All that it prints. */
  readonly lines: Interface;
  /** The first printed line that matches. */
  readonly line: RegExpMatchArray;
}

async function start(
  script: string,
  input: string,
  env: Record<string, string>,
  wanted: RegExp,
  flags: readonly string[] = [],
): Promise<Running> {
  const child = spawn(process.execPath, [...flags, script], {
    env: { PATH: process.env.PATH ?? "", ...env },
    stdio: ["pipe", "pipe", LEVEL.LOG_LEVEL === "info" ? "ignore" : "inherit"],
  });
  child.stdin?.end(input);
  if (child.stdout === null || child.pid === undefined) throw new Error(`${script} did not start`);
  const { pid, stdout } = child;
  const lines = createInterface(stdout);
  return new Promise((resolve, reject) => {
    lines.on("line", (text) => {
      const line = text.match(wanted);
      if (line !== null) resolve({ child, pid, lines, line });
    });
    lines.once("close", () => reject(new Error(`${script} ended`)));
  });
}

async function stop({ child }: Running): Promise<void> {
  child.kill("SIGTERM");
  if (child.exitCode === null) await once(child, "exit");
}

/** Sends to both in turn, some at once; how often the caller says. */
async function sendToBoth(one: Load, other: Load, goOn: () => boolean): Promise<void> {
  const worker = async () => {
    while (goOn()) {
      await one.send();
      await other.send();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** CPU seconds per request of both, asked at the same rate; without what the second uses when nobody asks. */
async function measure(
  [plain, plainPid]: readonly [Load, number],
  [load, pid]: readonly [Load, number],
  idlePerMs: number,
): Promise<{ readonly least: number; readonly mine: number }> {
  const [before, plainBefore, time] = [cpuSeconds(pid), cpuSeconds(plainPid), Date.now()];
  let left = REQUESTS;
  await sendToBoth(plain, load, () => left-- > 0);
  const idle = idlePerMs * (Date.now() - time);
  return {
    least: (cpuSeconds(plainPid) - plainBefore) / REQUESTS,
    mine: (cpuSeconds(pid) - before - idle) / REQUESTS,
  };
}

/** Target from the printed address of a price. */
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
async function compare(
  title: string,
  subject: Running,
  loads: readonly Load[],
  target: Target,
  warm: number,
): Promise<void> {
  const plain = await bareFor(target);
  const reference = bare(Number(plain.line[1]));
  for (const load of loads) {
    let left = warm;
    await sendToBoth(reference, load, () => left-- > 0);
  }
  const idlePerMs = await idlePerMsOf(subject);
  const perRequest = new Map<string, number[]>();
  const note = (name: string, value: number) => perRequest.set(name, [...(perRequest.get(name) ?? []), value]);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const load of loads) {
      const { least, mine } = await measure([reference, plain.pid], [load, subject.pid], idlePerMs);
      note(load.name, mine / least);
      note(reference.name, least * 1e6);
    }
  }
  console.log(
    `\n${title}: price of ${plain.bytes} bytes, ${REQUESTS} requests a round, ${ROUNDS} rounds, ${AT_ONCE} at once`,
  );
  console.log(`CPU of the idle process: ${(idlePerMs * 1e5).toFixed(1)} % of a core, subtracted`);
  for (const [name, values] of perRequest) {
    const unit = name === reference.name ? "µs per request" : "times the bare answer";
    const [low, mid, high] = [Math.min(...values), quantile(values, 0.5), Math.max(...values)].map((value) =>
      value.toFixed(1),
    );
    console.log(`${name.padEnd(22)} ${mid?.padStart(7)} ${unit} (${low} to ${high})`);
  }
  for (const load of [...loads, reference]) load.close();
  await stop(plain);
}

/** Prints how much of a search's CPU time goes into the wire formats that the answers of `load` have. */
async function showWireShare(title: string, loadOf: (target: Target) => Load | Promise<Load>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "wire-share-"));
  const service = await startService(["--cpu-prof", "--cpu-prof-interval=500", `--cpu-prof-dir=${folder}`]);
  try {
    const load = await loadOf(targetOf(service.line));
    for (let left = REQUESTS * 2; left > 0; left -= 1) await load.send();
    load.close();
  } finally {
    await stop(service);
  }
  const percent = (100 * shareOfWire(folder)).toFixed(1);
  rmSync(folder, { recursive: true });
  console.log(`${title}: ${percent} % of the CPU time of prices that are searched for is in the wire format`);
}

function startService(flags: readonly string[] = [], options: Record<string, string> = {}): Promise<Running> {
  const env = { PORT: "0", DEVNET_PORT: "0", DATA_DIR: dataDir, TRIBUTARY_API_KEY: KEY, ...LEVEL, ...options };
  const printed = /^curl .*'http:\/\/127\.0\.0\.1:(\d+)\/[^?]+\?([^']+)'/;
  return start(here("../../src/main.ts"), "", env, printed, flags);
}

/** The four ways to ask for a price, two of them in the same words each time. */
async function loadsOf(target: Target, [known, unknown]: readonly [string, string]): Promise<readonly Load[]> {
  const again = same(target.request);
  return [
    rest(known, target, again),
    rest(unknown, target, fresh(target.request)),
    connectPost("Connect POST", target, again),
    await grpc("gRPC", target, again),
  ];
}

async function compareDoor(): Promise<void> {
  const door = await start(
    here("door.ts"),
    "",
    { TRIBUTARY_API_KEY: KEY, ...LEVEL },
    /^http:\/\/127\.0\.0\.1:(\d+)\/[^?]+\?(.+)$/,
  );
  const target = targetOf(door.line);
  const loads = await loadsOf(target, ["REST, cached", "REST, search excluded"]);
  await compare("The door alone, no search behind it", door, loads, target, WARM);
  await stop(door);
}

async function compareService(): Promise<void> {
  const service = await startService();
  const target = targetOf(service.line);
  const loads = await loadsOf(target, ["REST, same request", "REST, new amounts"]);
  const title = "The service on its devnet, one search for a block and request";
  await compare(title, service, loads, target, WARM / 5);
  await stop(service);
}

async function floodService(): Promise<void> {
  const service = await startService();
  await showFairShare(targetOf(service.line), dataDir);
  await stop(service);
}

/** A service with search threads, or none, and what it is measured by. */
async function startBeside(threads: number) {
  const options = { SEARCH_THREADS: String(threads), DEEP_SEARCHES: "0" };
  const service = await startService(["--import", here("loop-delay.ts")], options);
  const target = targetOf(service.line);
  const plain = await bareFor(target);
  const beside = new BesideSearches({ target, pid: service.pid, threads, barePort: Number(plain.line[1]) });
  await beside.warm(WARM / 2);
  return { service, plain, beside };
}

/** All are asked in turn, a short time each: the machine's speed changes within minutes. */
async function compareThreads(): Promise<void> {
  const all = [];
  for (const threads of [0, ...THREADS]) all.push(await startBeside(threads));
  for (let turn = 0; turn < TURNS; turn += 1) for (const { beside } of all) await beside.slice(TURN_MS);
  for (const { beside } of all) beside.show();
  console.log("");
  const [none, ...some] = all.map(({ beside }) => beside);
  for (const beside of some) beside.compareWith(none!);
  for (const { service, plain } of all) {
    await stop(plain);
    await stop(service);
  }
}

async function priceLadders(): Promise<void> {
  const service = await startService([], { DEEP_SEARCHES: "0" });
  await showLadderCost(targetOf(service.line), service.pid);
  await stop(service);
}

async function priceQuotes(): Promise<void> {
  const service = await startService([], { DEEP_SEARCHES: "0" });
  console.log("");
  await showQuoteCost(targetOf(service.line), service.pid);
  await stop(service);
}

async function tellStreams(): Promise<void> {
  const env = { TRIBUTARY_API_KEY: KEY, ...LEVEL, BLOCK_EVERY_MS: String(BLOCK_EVERY_MS) };
  const door = await start(here("door.ts"), "", env, /^http:\/\/127\.0\.0\.1:(\d+)\/[^?]+\?(.+)$/);
  await showStreams(targetOf(door.line), door);
  await stop(door);
}

async function overloadService(): Promise<void> {
  const service = await startService();
  await showOverload(targetOf(service.line));
  await stop(service);
}

const dataDir = mkdtempSync(join(tmpdir(), "bench-api-"));
const parts: Readonly<Record<string, () => Promise<void>>> = {
  door: compareDoor,
  service: compareService,
  overload: overloadService,
  fair: floodService,
  threads: compareThreads,
  ladder: priceLadders,
  quote: priceQuotes,
  streams: tellStreams,
  async wire() {
    console.log("");
    await showWireShare("Connect POST", (at) => connectPost("Connect", at, fresh(at.request)));
    await showWireShare("gRPC", (at) => grpc("gRPC", at, fresh(at.request)));
  },
};
for (const [name, run] of Object.entries(parts)) if (ONLY === undefined || ONLY === name) await run();
rmSync(dataDir, { recursive: true });
