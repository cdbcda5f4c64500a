/**
 * The first day on a big chain: `node --expose-gc bench/chain/first-day.ts [--scale 0.02] [--speed 10] [--only first|fast]`. A synthetic chain of
 * 450,000 pairs of V2, 60,000 pools of V3, 250,000 of V4, 5,000 of Curve and 20,000 of Balancer over five years of blocks, or a
 * share of it (`--scale`), behind a provider with 100 requests a second, ranges of 10,000 blocks and 50 ms a request, all of it so many times as fast (`--speed`).
 * The cost at a provider's full price follows from the requests made. Each figure stands beside its goal.
 */
import { fork } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Chain, startChain } from "../../src/chain/chain.ts";
import { systemClock } from "../../src/chain/rpc/clock.ts";
import { createStateKeeper } from "../../src/chain/state/state-keeper.ts";
import { createLogger } from "../../src/ops/logger.ts";
import { openCatalog } from "../../src/stores/open-stores.ts";
import { createSources } from "../../src/venues/index.ts";
import { BigChain, sizesOf } from "./big-chain.ts";

const { values } = parseArgs({
  options: {
    scale: { type: "string", default: "0.02" },
    speed: { type: "string", default: "10" },
    "block-ms": { type: "string", default: "12000" },
    "fast-seconds": { type: "string", default: "20" },
    only: { type: "string" },
    verbose: { type: "boolean", default: false },
  },
});
const scale = Number(values.scale);
const speed = Number(values.speed);
const RATE = 100;
const LATENCY_MS = 50;
const DEEP_THOUSAND = Math.min(1_000, Math.round(1_000 * Math.max(scale * 20, 0.5)));
const NODE = fileURLToPath(new URL("./big-node.ts", import.meta.url));
const logger = createLogger(values.verbose ? "debug" : "error");
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const MB = 2 ** 20;

interface Figures {
  readonly counts: Readonly<Record<string, number>>;
  readonly head: number;
  /** The fake node's processor time. */
  readonly cpuSeconds: number;
}

/** A node that a process of its own is. */
async function startNode(options: Readonly<Record<string, number>>) {
  const given = Object.entries({ scale, ...options }).map(([name, value]) => `--${name}=${value}`);
  const child = fork(NODE, given, { execArgv: [] });
  const { port } = await new Promise<{ port: number }>((resolve) =>
    child.once("message", (told) => resolve(told as never)),
  );
  child.once("exit", (code) => {
    if (code !== null && code !== 0) process.exit(code);
  });
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    figures: async () => (await (await fetch(`${url}/counts`)).json()) as Figures,
    stop: () => void child.kill(),
  };
}

/** Seconds of the processor that this process has had. */
function ownCpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Processor time so far, that of the fake node beside it. */
function cpuOf({ cpuSeconds }: Figures): string {
  return `${ownCpu().toFixed(1)} s of processor time, the fake node's ${cpuSeconds.toFixed(1)} s`;
}

const requestsOf = ({ counts }: Figures) =>
  Object.entries(counts).reduce((sum, [method, count]) => sum + (method === "refused" ? 0 : count), 0);

function follow(big: BigChain, url: string, folder: string): Promise<Chain> {
  const { record } = big;
  return startChain({
    ...{ record, rpcUrls: [url], sources: createSources(record), logger, explainRevert: (data) => data },
    tokens: big.tokens.map((address) => ({ address, symbol: "T", name: "T", decimals: 18 })),
    keeper: createStateKeeper({ folder, record, clock: systemClock, logger }),
    catalog: openCatalog(folder, record.chainId, console.error),
  });
}

const awake = (chain: Chain) => chain.status().pools - chain.status().asleep;
function tell(what: string, figure: string, goal: string): void {
  console.log(`| ${what} | ${figure} | ${goal} |`);
}

async function firstDay(): Promise<void> {
  const blockMs = Number(values["block-ms"]);
  const big = new BigChain({ ...sizesOf(scale), blockMs, changed: 500 });
  const { v2, v3, v4, curve, balancer } = big.sizes;
  const folder = mkdtempSync(join(tmpdir(), "first-day-"));
  const node = await startNode({
    rate: RATE * speed,
    "latency-ms": LATENCY_MS / speed,
    "block-ms": blockMs,
    changed: 500,
  });
  console.log(
    `${v2} pairs of V2, ${v3} pools of V3, ${v4} of V4, ${curve} of Curve, ${balancer} of Balancer; a provider of ${RATE * speed} requests/s, ${LATENCY_MS / speed} ms`,
  );
  console.log("| what | figure | goal |\n|---|---|---|");
  let mostRss = 0;
  const rss = setInterval(() => {
    mostRss = Math.max(mostRss, process.memoryUsage.rss());
  }, 100);
  let began = performance.now();
  const seconds = () => (performance.now() - began) / 1_000;
  const atProvider = (requests: number) => `${Math.ceil(requests / RATE)} s at ${RATE}/s`;
  let chain = await follow(big, node.url, folder);
  await chain.firstSnapshot;
  while (awake(chain) < DEEP_THOUSAND && chain.status().discovery !== undefined) await pause(100);
  let figures = await node.figures();
  let asked = requestsOf(figures);
  tell(
    "useful: listed tokens, the deepest thousand",
    `${seconds().toFixed(1)} s, ${asked} requests: ${atProvider(asked)}; ${cpuOf(figures)}`,
    "180 s",
  );
  let half: { readonly at: number; readonly left: number } | undefined;
  while (chain.status().discovery !== undefined) {
    const { fromBlock, nextBlock, toBlock, secondsLeft } = chain.status().discovery!;
    const share = Number(nextBlock - fromBlock) / Number(toBlock + 1n - fromBlock);
    if (share > 0.4 && share < 1) half ??= { at: seconds(), left: secondsLeft ?? 0 };
    await pause(100);
  }
  figures = await node.figures();
  asked = requestsOf(figures);
  const { pools, asleep } = chain.status();
  tell(
    "all found",
    `${pools - 1} of ${v2 + v3 + v4 + curve + balancer} in ${seconds().toFixed(0)} s, ${asked} requests: ${atProvider(asked)}; ${cpuOf(figures)}`,
    "14,400 s",
  );
  if (half !== undefined)
    tell("time left, told in the midst", `${half.left} s when ${(seconds() - half.at).toFixed(0)} s were left`, "true");
  tell("asleep, awake", `${asleep}, ${pools - asleep}`, "most of it asleep");
  tell("memory at most, the search over it", `${Math.round(mostRss / MB)} MiB`, "1,536 MiB");
  (globalThis as { gc?: () => void }).gc?.();
  tell(
    "memory of what follows",
    `${Math.round(process.memoryUsage.rss() / MB)} MiB, heap ${Math.round(process.memoryUsage().heapUsed / MB)} MiB`,
    "600 MiB",
  );
  const { counts, head } = await node.figures();
  await pause(3 * blockMs);
  const later = await node.figures();
  const perBlock =
    (requestsOf(later) - Object.values(counts).reduce((sum, count) => sum + count, 0)) / Math.max(later.head - head, 1);
  tell(
    "requests a block of 500 changed pools",
    `${perBlock.toFixed(1)} (${Math.round((perBlock * 86_400_000) / blockMs)} a day)`,
    "60",
  );
  await chain.stop();
  const sizes = readdirSync(folder).map(
    (name) => `${name} ${Math.round(statSync(join(folder, name)).size / 1e5) / 10} MB`,
  );
  asked = requestsOf(await node.figures());
  began = performance.now();
  const before = ownCpu();
  chain = await follow(big, node.url, folder);
  await chain.firstSnapshot;
  const ofRestart = requestsOf(await node.figures()) - asked;
  tell(
    "restart",
    `${seconds().toFixed(1)} s, ${ofRestart} requests, ${(ownCpu() - before).toFixed(1)} s of processor time, with ${chain.status().pools - 1} pools known; ${sizes.join(", ")}`,
    "20 s",
  );
  const sleeping = [...Array(v2).keys()].find((index) => !big.isDeep("v2", index) && index > v2 / 2)!;
  const token = big.tokensOf("v2", sleeping).find((each) => each !== big.record.wrappedNative)!;
  began = performance.now();
  void chain.registry.find(token);
  const isServed = () => {
    const current = chain.market.current();
    return "snapshot" in current && current.snapshot.graph.poolsOf(token).length > 0;
  };
  while (!isServed()) await pause(20);
  tell(
    "a small pool is served after its token was asked for",
    `${seconds().toFixed(1)} s`,
    `one block, ${blockMs / 1_000} s`,
  );
  clearInterval(rss);
  await chain.stop();
  node.stop();
  rmSync(folder, { recursive: true });
}

/** Following a chain of short blocks, at the provider's own limits. */
async function fastChain(): Promise<void> {
  const blockMs = 400;
  const big = new BigChain({ ...sizesOf(scale), blockMs, changed: 200 });
  const folder = mkdtempSync(join(tmpdir(), "fast-chain-"));
  const node = await startNode({ rate: RATE * speed, "latency-ms": LATENCY_MS, "block-ms": blockMs, changed: 200 });
  const chain = await follow(big, node.url, folder);
  await chain.firstSnapshot;
  while (chain.status().discovery !== undefined) await pause(200);
  await pause(2_000);
  const before = await node.figures();
  const began = performance.now();
  const behind: number[] = [];
  while (performance.now() - began < Number(values["fast-seconds"]) * 1_000) {
    const { head } = await node.figures();
    behind.push(head - Number(chain.status().head?.number ?? 0n));
    await pause(50);
  }
  const after = await node.figures();
  const taken = (performance.now() - began) / 1_000;
  const requests = requestsOf(after) - requestsOf(before);
  const blocks = Math.max(after.head - before.head, 1);
  const late = behind.filter((count) => count > 2).length / behind.length;
  tell(
    `200 pools changed a block of ${blockMs} ms: blocks behind`,
    `${Math.max(...behind)} at most, more than 2 in ${(100 * late).toFixed(1)} % of looks`,
    "2",
  );
  tell(
    "requests a second there",
    `${(requests / taken).toFixed(1)}, ${(requests / blocks).toFixed(1)} a block`,
    `${RATE}`,
  );
  await chain.stop();
  node.stop();
  rmSync(folder, { recursive: true });
}

if (values.only !== "fast") await firstDay();
if (values.only !== "first") await fastChain();
