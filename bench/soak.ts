/**
 * The service over a busy chain for a day's worth of blocks, with calls of all kinds through its port all the while, and
 * whether memory, event loop and handles stay as they were: `npm run soak`, or with `--blocks 200` for a look. The chain is
 * made in the same process; `--plot FILE` draws the run.
 */

import { writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { createFakeChain } from "../fixtures/chain/fake-chain.ts";
import { createFakeListing } from "../fixtures/door/fake-listing.ts";
import { TEST_TOKENS } from "../fixtures/door/test-network.ts";
import { createPresetKeys } from "../src/api/keys/preset-keys.ts";
import { createChargeCall } from "../src/api/limits/charge.ts";
import { createServer, DEFAULT_SERVER_CONFIG } from "../src/api/server.ts";
import { startChain } from "../src/chain/chain.ts";
import { describeChain } from "../src/chain/describe-chain.ts";
import { systemClock } from "../src/chain/rpc/clock.ts";
import { createEngine } from "../src/compose/engine.ts";
import { createLogger } from "../src/ops/logger.ts";
import { createMetrics } from "../src/ops/metrics.ts";
import { createPriceCache } from "../src/quoting/price/price-cache.ts";
import { createPriceLists } from "../src/quoting/price/price-lists.ts";
import { queueSearches } from "../src/quoting/search/search-queue.ts";
import { createPriceWatches } from "../src/quoting/watch/price-watches.ts";
import { createMemoryLimiter } from "../src/stores/memory/limiter.ts";
import { createSources } from "../src/venues/index.ts";
import type { LoadReport, SoakLoad } from "./soak-load.ts";
import { soakPlot } from "./soak-plot.ts";

const { values } = parseArgs({
  options: {
    blocks: { type: "string", default: "7200" },
    // Above 2,048, where the tables double in which the chain of this run keeps the pairs of its last 300 blocks: 20 MB at once.
    pools: { type: "string", default: "2100" },
    "block-ms": { type: "string", default: "500" },
    "calls-per-second": { type: "string", default: "40" },
    plot: { type: "string" },
  },
});
const blocks = Number(values.blocks);
const pools = Number(values.pools);
const blockMs = Number(values["block-ms"]);
/** The part of the run that counts as warm-up, and where the figures are taken. */
const WARM_UP = 0.2;
const POINTS = 60;
const TRADES = 100;
const ASKED_TOKENS = 60;
const MAX_GROWTH = 0.05;
const MAX_DELAY_MS = 25;
/** After the end sockets take a moment to be gone. */
const SETTLED_MS = 3_000;
/** Handles that standard output and this very moment hold open. */
const NOT_OURS = /^(TTYWrap|PipeWrap|FSReqCallback|Immediate)$/;
const KEY = "the-key-of-the-soak-run";

const fake = createFakeChain({ seed: 1, pairs: pools });
for (let block = 0; block < 20; block++) fake.mine();
const { wrappedNative } = fake.record;
const logger = createLogger("error");
const sources = createSources(fake.record);
const catalog = new Map(sources.map((source) => [source.id, source]));
const tokens = [...fake.head.pairs.values()].slice(0, ASKED_TOKENS).map(({ tokens: pair }, index) => {
  const address = pair.find((token) => token !== wrappedNative)!;
  return { address, symbol: `T${index}`, name: `Token ${index}`, decimals: 18 };
});
const chain = await startChain({
  record: { ...fake.record, blockTimeMs: 0 },
  rpcUrls: [],
  providers: [fake.provider],
  sources,
  tokens: [...tokens, { address: wrappedNative, symbol: "WETH", name: "Wrapped Ether", decimals: 18 }],
  logger,
  explainRevert: (data) => data,
  pollIntervalMs: 50,
});
await chain.firstSnapshot;
const engine = createEngine({
  market: chain.market,
  tokens: chain.registry,
  sources: catalog,
  deployment: { deployed: true },
  simulator: chain.simulator,
  accounts: chain.accounts,
  config: { wrappedNative, quoteTtlSeconds: 120, budget: { maxHops: 3, maxFills: 8, maxSteps: 200_000 } },
  now: Date.now,
});
const { quoting, epoch } = createPriceCache({
  quoting: queueSearches(engine.quoting, { atOnce: 32, mostWaiting: 64 }, engine.turns).quoting,
  market: chain.market,
  versions: () => [],
  most: 1_000,
  now: Date.now,
});
const watches = createPriceWatches({
  quoting,
  market: { current: chain.market.current, onSnapshot: chain.onSnapshot },
  onDefect: (error) => logger.error({ err: error }, "pricing a watched request failed"),
});
const server = createServer({
  quoting,
  lists: createPriceLists(quoting, chain.market),
  watches,
  listing: createFakeListing(),
  epoch,
  catalog: {
    chainId: fake.record.chainId,
    tokens: chain.registry,
    wrappedNative,
    settlementContracts: [],
    sourceIds: () => [...catalog.keys()],
    mostOfRoutes: { maxHops: 4, maxFills: 128 },
  },
  keys: createPresetKeys(KEY),
  charge: createChargeCall(createMemoryLimiter(), undefined),
  readiness: () => ({ ready: true }),
  network: fake.record,
  tokens: () => TEST_TOKENS,
  chainStatus: () => describeChain(chain.status()),
  config: DEFAULT_SERVER_CONFIG,
  logger,
  metrics: createMetrics(),
});
await server.listen(0, "127.0.0.1");
const workerData: SoakLoad = {
  port: server.port(),
  key: KEY,
  tokens: [...tokens.map(({ address }) => address), wrappedNative],
  callsPerSecond: Number(values["calls-per-second"]),
};
const load = new Worker(new URL("./soak-load.ts", import.meta.url), { workerData });
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();

const points: {
  readonly block: number;
  readonly rssMb: number;
  readonly heapMb: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly handles: number;
  readonly callP99Ms: number;
}[] = [];
const statuses: Record<string, number> = {};

async function reportOf(worker: Worker): Promise<LoadReport> {
  const answered = new Promise<LoadReport>((resolve) => worker.once("message", resolve));
  worker.postMessage("report");
  return answered;
}

for (let block = 1; block <= blocks; block++) {
  fake.mine({ trades: TRADES, pairs: block % 100 === 0 ? 1 : 0 });
  fake.prune(300);
  if (block % 50 === 0) fake.reorganize(1 + (block % 7), 1 + (block % 7));
  const until = systemClock.elapsed() + blockMs;
  while (systemClock.elapsed() < until) await new Promise((resolve) => setTimeout(resolve, 10));
  if (block % Math.max(1, Math.floor(blocks / POINTS)) !== 0) continue;
  const p99Ms = Math.round(delay.percentile(99) / 1e5) / 10;
  const maxMs = Math.round(delay.max / 1e6);
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  const { statuses: seen, tookMs } = await reportOf(load);
  for (const [status, count] of Object.entries(seen)) statuses[status] = (statuses[status] ?? 0) + count;
  const point = {
    block,
    rssMb: Math.round(rss / 2 ** 20),
    heapMb: Math.round(heapUsed / 2 ** 20),
    p99Ms,
    maxMs,
    // Connections of the callers come and go; what is left when they are gone is told at the end.
    handles: process.getActiveResourcesInfo().filter((kind) => !/^TCPSocketWrap|^Timeout|^Immediate/.test(kind)).length,
    callP99Ms: Math.round((tookMs[Math.floor(tookMs.length * 0.99)] ?? 0) * 10) / 10,
  };
  points.push(point);
  delay.reset();
  console.log(JSON.stringify(point));
}

await load.terminate();
watches.stop();
await server.drain(5_000);
const chainStatus = chain.status();
await chain.stop();
await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
const left = process.getActiveResourcesInfo().filter((kind) => !NOT_OURS.test(kind));

const warm = points.slice(Math.floor(points.length * WARM_UP));
const mean = (of: readonly number[]) => of.reduce((sum, value) => sum + value, 0) / of.length;
const third = Math.max(1, Math.floor(warm.length / 3));
const growthOf = (figure: "rssMb" | "heapMb") => {
  const before = mean(warm.slice(0, third).map((point) => point[figure]));
  return mean(warm.slice(-third).map((point) => point[figure])) / before - 1;
};
const p99s = warm.map(({ p99Ms }) => p99Ms).sort((a, b) => a - b);
const worst = p99s.at(-1)!;
const handles = warm.at(-1)!.handles - warm[0]!.handles;
console.log(
  JSON.stringify({
    ...{ blocks, pools, trades: TRADES, statuses },
    ...{ rssGrowth: growthOf("rssMb"), heapGrowth: growthOf("heapMb") },
    ...{ medianP99Ms: p99s[p99s.length >> 1], worstP99Ms: worst, handles, left },
    ...{ resyncs: chainStatus.resyncs, audit: chainStatus.audit, quarantined: chainStatus.quarantined.size },
  }),
);
if (values.plot !== undefined) {
  const series = (figure: "rssMb" | "heapMb" | "p99Ms" | "callP99Ms") =>
    points.map((point) => [point.block, point[figure]] as const);
  writeFileSync(
    values.plot,
    soakPlot(`${blocks} blocks with ${pools} pools and ${TRADES} trades each`, [
      { title: "resident memory, MB", points: series("rssMb") },
      { title: "heap in use after garbage collection, MB", points: series("heapMb") },
      { title: "event-loop delay, 99th percentile, ms", points: series("p99Ms"), bound: MAX_DELAY_MS },
      { title: "calls as the caller sees them, 99th percentile, ms", points: series("callP99Ms") },
    ]),
  );
}
const broken = Object.keys(statuses).filter((status) => /broken|^5(?!03)/.test(status) && !status.startsWith("watch"));
const sound = growthOf("rssMb") < MAX_GROWTH && worst < MAX_DELAY_MS && handles <= 0 && broken.length === 0;
process.exit(sound && left.length === 0 ? 0 : 1);
