/**
 * Follows a busy chain for a day's worth of blocks, with prices asked for all the while, and tells whether memory,
 * event loop and handles stay as they were: `npm run soak`, or with `--blocks 200` for a look.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { startChain } from "../src/chain/chain.ts";
import { systemClock } from "../src/chain/clock.ts";
import { createLogger } from "../src/ops/logger.ts";
import { createRouter } from "../src/routing/create-router.ts";
import { createSources } from "../src/sources/index.ts";
import { createFakeChain } from "../test/support/fake-chain.ts";

const { values } = parseArgs({
  options: {
    blocks: { type: "string", default: "7200" },
    pools: { type: "string", default: "2000" },
    "block-ms": { type: "string", default: "500" },
  },
});
const blocks = Number(values.blocks);
const pools = Number(values.pools);
const blockMs = Number(values["block-ms"]);
/** The part of the run that counts as warm-up, and where the figures are taken. */
const WARM_UP = 0.2;
const POINTS = 60;
const TRADES = 100;
const MOST_GROWTH = 0.05;
const MOST_DELAY_MS = 25;

const fake = createFakeChain({ seed: 1, pairs: pools });
for (let block = 0; block < 20; block++) fake.mine();
const chain = await startChain({
  record: { ...fake.record, blockTimeMs: 0 },
  rpcUrls: [],
  providers: [fake.provider],
  sources: createSources(fake.record),
  tokens: [],
  logger: createLogger("warn"),
  explainRevert: (data) => data,
  pollIntervalMs: 50,
});
await chain.firstSnapshot;
const router = createRouter();
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();

let asked = 0;
let unanswered = 0;
const points: { readonly block: number; readonly rssMb: number; readonly p99Ms: number; readonly handles: number }[] =
  [];

/** A price as the service finds it, between two tokens of the chain. */
function ask(): void {
  asked += 1;
  const current = chain.market.current();
  if (!("snapshot" in current)) {
    unanswered += 1;
    return;
  }
  const { graph, tokens, rates } = current.snapshot;
  const list = [...tokens];
  const [sellToken, buyToken] = [list[(asked * 7) % list.length]!, list[(asked * 13 + 1) % list.length]!];
  if (sellToken === buyToken) return;
  router.findBest({
    order: { kind: "exactIn", sellToken, buyToken, sellAmount: 10n ** 15n },
    graph,
    allows: () => true,
    cost: { gasPrice: 10n ** 9n, rate: (token) => rates.perNative(token) },
    budget: { maxHops: 3, maxFills: 8, maxSteps: 200_000, expired: () => false },
  });
}

for (let block = 1; block <= blocks; block++) {
  fake.mine({ trades: TRADES, pairs: block % 100 === 0 ? 1 : 0 });
  fake.prune(300);
  if (block % 50 === 0) fake.reorganize(1 + (block % 7), 1 + (block % 7));
  const until = systemClock.elapsed() + blockMs;
  while (systemClock.elapsed() < until) {
    ask();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  if (block % Math.max(1, Math.floor(blocks / POINTS)) !== 0) continue;
  globalThis.gc?.();
  const point = {
    block,
    rssMb: Math.round(process.memoryUsage().rss / 2 ** 20),
    p99Ms: Math.round(delay.percentile(99) / 1e5) / 10,
    handles: process.getActiveResourcesInfo().length,
  };
  points.push(point);
  delay.reset();
  console.log(JSON.stringify(point));
}

const warm = points.slice(Math.floor(points.length * WARM_UP));
const mean = (of: readonly number[]) => of.reduce((sum, value) => sum + value, 0) / of.length;
const third = Math.max(1, Math.floor(warm.length / 3));
const before = mean(warm.slice(0, third).map(({ rssMb }) => rssMb));
const after = mean(warm.slice(-third).map(({ rssMb }) => rssMb));
const growth = after / before - 1;
const worst = Math.max(...warm.map(({ p99Ms }) => p99Ms));
const handles = warm.at(-1)!.handles - warm[0]!.handles;
console.log(JSON.stringify({ blocks, pools, asked, unanswered, rssGrowth: growth, worstP99Ms: worst, handles }));
await chain.stop();
process.exitCode = growth < MOST_GROWTH && worst < MOST_DELAY_MS && handles <= 0 ? 0 : 1;
