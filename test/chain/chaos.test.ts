import { afterAll, beforeAll, expect, it } from "vitest";
import { type Chain, startChain } from "../../src/chain/chain.ts";
import { readPools } from "../../src/chain/pool-tracker.ts";
import { createProvider, type Provider } from "../../src/chain/provider.ts";
import { createChainReader, type NodeReader } from "../../src/chain/reader.ts";
import { sameValue } from "../../src/chain/same-value.ts";
import type { Address, Hex } from "../../src/domain/address.ts";
import type { Snapshot } from "../../src/market/snapshot.ts";
import { createLogger } from "../../src/ops/logger.ts";
import { createSources } from "../../src/sources/index.ts";
import { type ChaosProxy, startChaosProxy } from "../support/chaos-proxy.ts";
import { useDevnet } from "../support/devnet.ts";
import { createRandom } from "../support/random.ts";
import { until } from "./following.ts";

const LONG = process.env.TRIBUTARY_LONG === "1";
const REORGANIZATIONS = LONG ? 2_000 : 6;
const ROLLBACKS = LONG ? 200 : 2;
const DEEP = LONG ? 50 : 1;
const MAX_DEPTH = LONG ? 64 : 24;
/** Deeper than the undo ring: 128 blocks on the devnet. */
const DEEP_DEPTH = 140;
const COMPARED = 6;
const MOST_MORE_BLOCKS = 500;
/** A bad line takes its time, on a busy machine above all. */
const PATIENCE_MS = 180_000;
const BAD_LINE = {
  error: 0.02,
  limit: 0.002,
  refusal: 0.01,
  cut: 0.005,
  half: 0.005,
  emptyLogs: 0.02,
  staleHead: 0.02,
};

const devnet = useDevnet();
const logger = createLogger("silent");
let proxy: ChaosProxy;
let chain: Chain;
let clean: Provider;
let reader: NodeReader;

beforeAll(async () => {
  const { chain: record, rpcUrl, wsUrl, tokens } = devnet();
  proxy = await startChaosProxy({ rpcUrl, wsUrl, seed: 1 });
  clean = createProvider({ url: rpcUrl, timeoutMs: 10_000, logger });
  reader = createChainReader(clean, record);
  chain = await startChain({
    record,
    rpcUrls: [proxy.rpcUrl],
    wsUrls: [proxy.wsUrl],
    sources: createSources(record),
    tokens,
    freshness: { confirmedWithinMs: 30_000, blockAgeMs: undefined },
    logger,
    explainRevert: (data) => data,
    pollIntervalMs: 20,
  });
  await chain.firstSnapshot;
});
afterAll(async () => {
  await chain?.stop();
  await proxy?.stop();
  clean?.close();
});

async function newest(): Promise<Snapshot> {
  const head = await devnet().rpc<{ hash: Hex }>("eth_getBlockByNumber", ["latest", false]);
  let found: Snapshot | undefined;
  await until(() => {
    const current = chain.market.current();
    found = "snapshot" in current ? current.snapshot : undefined;
    return found?.block.hash === head.hash;
  }, PATIENCE_MS);
  return found!;
}

/** Pools of a snapshot that are not what the node itself says at the snapshot's block. */
async function wrongPools(snapshot: Snapshot, random: () => number): Promise<readonly string[]> {
  const sources = createSources(devnet().chain);
  const all = [...new Set([...snapshot.tokens].flatMap((token) => snapshot.graph.poolsOf(token)))];
  const chosen = Array.from({ length: COMPARED }, () => all[Math.floor(random() * all.length)]!);
  const wrong: string[] = [];
  for (const pool of chosen) {
    const source = sources.find(({ id }) => id === pool.source)!;
    const terms = pool.curve === "concentrated" ? { fee: String(pool.state.feePpm) } : {};
    const ref = { id: pool.id, address: pool.id as Address, tokens: pool.tokens, terms };
    if (source.kind !== "amm" || !/^(Uniswap|PancakeSwap)_V[23]$/.test(source.id)) continue;
    const read = await readPools(reader, source, [ref], snapshot.block);
    if (!sameValue(pool, read.get(pool.id))) wrong.push(`${pool.source} ${pool.id} at ${snapshot.block.number}`);
  }
  return wrong;
}

/** Moves a pair's reserves without a router: what was sent to it is synced. */
async function disturb(random: () => number): Promise<void> {
  const { whale, rpc } = devnet();
  const current = chain.market.current();
  if (!("snapshot" in current)) return;
  const pairs = [...current.snapshot.tokens]
    .flatMap((token) => current.snapshot.graph.poolsOf(token))
    .filter(({ curve, source }) => curve === "constant-product" && source === "Uniswap_V2");
  const pair = pairs[Math.floor(random() * pairs.length)]!;
  const amount = (1_000n + BigInt(Math.floor(random() * 1e6))).toString(16).padStart(64, "0");
  const transfer = `0xa9059cbb${pair.id.slice(2).padStart(64, "0")}${amount}`;
  for (const [to, data] of [
    [pair.tokens[0], transfer],
    [pair.id, "0xfff6cae9"],
  ]) {
    await rpc("eth_sendTransaction", [{ from: whale, to, data, gas: "0x4c4b40" }]);
  }
}

async function live(blocks: number, random: () => number): Promise<void> {
  for (let block = 0; block < blocks; block++) {
    await disturb(random);
    await devnet().mine();
  }
}

it("behind a bad line, whatever the chain does, memory is what the node itself says", async () => {
  const random = createRandom(5).unit;
  proxy.setShares(BAD_LINE);
  const wrong: string[] = [];
  let compared = 0;
  const check = async () => {
    const snapshot = await newest();
    wrong.push(...(await wrongPools(snapshot, random)));
    compared += 1;
  };
  await live(MAX_DEPTH + 6, random);
  await check();
  for (let round = 0; round < REORGANIZATIONS; round++) {
    await devnet().rpc("anvil_reorg", [1 + Math.floor(random() * MAX_DEPTH), []]);
    await live(1, random);
    if (round % 3 === 0) proxy.cutSockets();
    proxy.muteSockets(round % 4 === 0);
    await check();
  }
  for (let round = 0; round < ROLLBACKS; round++) {
    await devnet().rpc("anvil_rollback", [1 + Math.floor(random() * 4)]);
    await check();
    await live(5, random);
    await check();
  }
  for (let round = 0; round < DEEP; round++) {
    await live(DEEP_DEPTH + 10, random);
    await check();
    await devnet().rpc("anvil_reorg", [DEEP_DEPTH, []]);
    await check();
  }
  expect(wrong).toEqual([]);
  expect(compared).toBe(1 + REORGANIZATIONS + 2 * ROLLBACKS + 2 * DEEP);
  expect(chain.status().audit.mismatched).toBe(0);
  expect(chain.status().resyncs).toBeGreaterThanOrEqual(DEEP);
  // How many requests a run takes depends on the machine: it goes on until the rarest mischief has happened too.
  const unmet = () => Object.keys(BAD_LINE).filter((mischief) => !proxy.seen.get(mischief as keyof typeof BAD_LINE));
  for (let block = 0; block < MOST_MORE_BLOCKS && unmet().length > 0; block++) {
    await live(1, random);
    await newest();
  }
  expect(unmet()).toEqual([]);
  proxy.setShares({});
}, 7_200_000);
