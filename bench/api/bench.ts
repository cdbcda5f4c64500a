import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { quantile } from "../quantile.ts";
import { compareThreads } from "./compare-threads.ts";
import { cpuSeconds } from "./cpu.ts";
import { showFairShare } from "./fair-share.ts";
import { showLadderCost } from "./ladder-cost.ts";
import { bare, connectPost, fresh, grpc, type Load, rest, same, type Target } from "./load.ts";
import { showOverload } from "./overload.ts";
import { showQuoteCost } from "./quote-cost.ts";
import { bareFor, dataDir, here, KEY, LEVEL, type Running, start, startService, stop, targetOf } from "./service.ts";
import { BLOCK_EVERY_MS, showStreams } from "./streams.ts";
import { shareOfWire } from "./wire-share.ts";

/** In a round, to each of the two that are compared. */
const REQUESTS = Number(process.env.REQUESTS ?? 800);
const ROUNDS = Number(process.env.ROUNDS ?? 15);
/** Requests of each load before it is measured: the compiler is busy with what is new. Where searches are, a part of that. */
const WARM = Number(process.env.WARM ?? 15_000);
const { ONLY } = process.env;
const AT_ONCE = 8;
const IDLE_MS = 3_000;

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

const parts: Readonly<Record<string, () => Promise<void>>> = {
  door: compareDoor,
  service: compareService,
  overload: overloadService,
  fair: floodService,
  threads: () => compareThreads(WARM / 2),
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
