/**
 * Time until 10,000 pools on a node of the devnet's kind can be quoted from, at the first start and from a kept state;
 * and how long a block of a busy chain blocks the process.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeChain } from "../../fixtures/chain/fake-chain.ts";
import { createBlocks } from "../../src/chain/blocks/blocks.ts";
import { startChain } from "../../src/chain/chain.ts";
import { bloomEntriesOf } from "../../src/chain/pools/found-pools.ts";
import { startPoolTracker } from "../../src/chain/pools/tracker-of-blocks.ts";
import { systemClock } from "../../src/chain/rpc/clock.ts";
import { parseHeader } from "../../src/chain/rpc/codec.ts";
import { createChainReader } from "../../src/chain/rpc/reader.ts";
import { createStateKeeper } from "../../src/chain/state/state-keeper.ts";
import { createMarket } from "../../src/market/market.ts";
import { createLogger } from "../../src/ops/logger.ts";
import { createSources } from "../../src/venues/index.ts";
import { quantile } from "../quantile.ts";
import { type ManyPairs, startManyPairs } from "./many-pairs.ts";

const POOLS = 10_000;
const BLOCKS_MISSED = 100;
const SYNCS_PER_BLOCK = 50;
/** Pools and logs of a block, which then changes about 2,000 pools. */
const BUSY_POOLS = 3_000;
const BUSY_LOGS = 5_000;
const BUSY_BLOCKS = 30;
const logger = createLogger("error");

/** Starts a service's chain on the node; the seconds until its first snapshot. */
async function start({ anvil, record }: ManyPairs, folder: string): Promise<{ seconds: number; pools: number }> {
  const began = performance.now();
  const chain = await startChain({
    record,
    rpcUrls: [anvil.rpcUrl],
    sources: createSources(record),
    tokens: [],
    logger,
    explainRevert: (data) => data,
    keeper: createStateKeeper({ folder, record, clock: systemClock, logger }),
  });
  const { sources } = await chain.firstSnapshot;
  const seconds = Math.round((performance.now() - began) / 10) / 100;
  const pools = sources.get("Uniswap_V2")?.pools ?? 0;
  await chain.stop();
  return { seconds, pools };
}

async function measureStarts(): Promise<void> {
  const many = await startManyPairs(POOLS);
  const folder = mkdtempSync(join(tmpdir(), "chain-bench-"));
  try {
    await many.mine(20, SYNCS_PER_BLOCK);
    const first = await start(many, folder);
    const { size } = statSync(join(folder, "pools-31337.state"));
    await many.mine(BLOCKS_MISSED, SYNCS_PER_BLOCK);
    const again = await start(many, folder);
    console.log(
      `first start: ${first.pools} pools ready in ${first.seconds} s; ${Math.round(size / 1e5) / 10} MB kept`,
    );
    console.log(`after ${BLOCKS_MISSED} blocks missed: ${again.pools} pools ready in ${again.seconds} s`);
  } finally {
    rmSync(folder, { recursive: true });
    await many.anvil.stop();
  }
}

/** Processor time of this process, which other programs of the machine do not lengthen much. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

const milliseconds = (values: readonly number[], share: number) => `${quantile(values, share).toFixed(1)} ms`;

async function measureBusyBlocks(): Promise<void> {
  const fake = createFakeChain({ seed: 3, pairs: BUSY_POOLS });
  const { record, provider } = fake;
  const sources = createSources(record);
  const topics = bloomEntriesOf(sources);
  const market = createMarket({
    chainId: record.chainId,
    wrappedNative: record.wrappedNative,
    sources: sources.map(({ id }) => id),
    freshness: { confirmedWithinMs: 10_000, blockAgeMs: undefined },
    now: () => 0,
    elapsed: () => 0,
  });
  const blocks = createBlocks(provider, record);
  const base = parseHeader(await provider.request("eth_getBlockByNumber", ["latest", false]));
  const [source] = sources.filter(({ id }) => id === "Fake_V2");
  const tracker = await startPoolTracker({
    reader: createChainReader(provider, record),
    store: market.pools,
    sources,
    found: [...fake.head.pairs].map(([id, { tokens }]) => ({
      source: source!,
      ref: { id, address: id, tokens, terms: {} },
    })),
    base,
    ringSize: 128,
    clock: systemClock,
  });
  market.publish(base, 1n);
  const steps: Record<"checked" | "applied" | "published" | "valued", number[]> = {
    ...{ checked: [], applied: [], published: [], valued: [] },
  };
  let logsSeen = 0;
  let changed = 0;
  for (let block = 0; block < BUSY_BLOCKS; block++) {
    // Every second trade has a log of a stranger beside it.
    fake.mine({ trades: Math.round((BUSY_LOGS * 2) / 3) });
    const header = parseHeader(await provider.request("eth_getBlockByNumber", ["latest", false]));
    const asked = processorMs();
    const logs = await blocks.logs(header, topics);
    const checked = processorMs();
    await tracker.apply(header, logs);
    const applied = processorMs();
    const { graph, rates, tokens } = market.publish(header, 1n);
    const published = processorMs();
    for (const token of tokens) if (rates.perNative(token) === undefined && graph.poolsOf(token).length === 0) break;
    steps.checked.push(checked - asked);
    steps.applied.push(applied - checked);
    steps.published.push(published - applied);
    steps.valued.push(processorMs() - published);
    logsSeen += logs.length;
    changed += tracker.changed().length;
  }
  console.log(
    `${Math.round(logsSeen / BUSY_BLOCKS)} logs and ${Math.round(changed / BUSY_BLOCKS)} pools changed a block; processor time:`,
  );
  for (const [step, took] of Object.entries(steps)) {
    console.log(`  ${step}: median ${milliseconds(took, 0.5)}, 95th percentile ${milliseconds(took, 0.95)}`);
  }
}

await measureBusyBlocks();
await measureStarts();
