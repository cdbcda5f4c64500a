import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import { clearPrefix, ownPrefix, REDIS_URL } from "../../fixtures/fleet/redis.ts";
import { toAddress } from "../../src/domain/address.ts";
import { ALL_ON } from "../../src/domain/switches.ts";
import { differenceOf } from "../../src/market/feed/difference.ts";
import type { FeedState } from "../../src/market/feed/feed-state.ts";
import { FeedFollower } from "../../src/market/feed/follower.ts";
import type { MarketGraph } from "../../src/market/pool-store.ts";
import { createRates } from "../../src/market/rates.ts";
import { createLogger } from "../../src/ops/logger.ts";
import { decodeUpdate, feedEncoder } from "../../src/snapshot/feed-codec.ts";
import { connect, keyNames } from "../../src/stores/redis/connection.ts";
import { MarketStream } from "../../src/stores/redis/market-stream.ts";
import { Pulse } from "../../src/stores/redis/pulse.ts";
import { StreamReader } from "../../src/stores/redis/stream-reader.ts";
import { quantile } from "../quantile.ts";
import { blocksOf } from "../routing/blocks.ts";
import { chosenSets } from "../routing/sets/bench-sets.ts";

const WRAPPED = toAddress(`0x${"0".repeat(39)}1`);
const TERMS = { chainId: 1, wrappedNative: WRAPPED };
const { REPLICAS = "200", ENTRIES = "10" } = process.env;
/** Bytes of the entries that replicas are told, about what a block of a large chain comes to. */
const ENTRY_BYTES = 100_000;
const ENTRY_EVERY_MS = 1_000;

/** Bytes of whole states and of updates by the number of pools, and what telling replicas costs Redis. */
export async function measureFeed(): Promise<void> {
  for (const [, set] of chosenSets("v2-ftm,mixed,100k")) if (set !== undefined) measureBytes(set.name, set.pools);
  await measureFanOut(Number(REPLICAS), Number(ENTRIES));
}

function measureBytes(name: string, pools: Parameters<typeof blocksOf>[0]): void {
  const blocks = blocksOf(pools);
  const [first, second] = [stateOf(1, blocks.next().value), stateOf(2, blocks.next().value)];
  const follower = new FeedFollower();
  const lines = [
    ["whole", undefined, first],
    ["update with 1 % of the pools", first, second],
  ] as const;
  for (const [what, before, after] of lines) {
    const encoding = performance.now();
    const parts = [...feedEncoder.encode(differenceOf(before, after, TERMS))];
    const decoding = performance.now();
    for (const part of parts) follower.take(decodeUpdate(part, (slot) => follower.poolAt(slot)));
    const end = performance.now();
    const kilobytes = (parts.reduce((sum, { length }) => sum + length, 0) / 1_000).toFixed(0);
    const times = `${(decoding - encoding).toFixed(0)} ms to write, ${(end - decoding).toFixed(0)} ms to apply`;
    console.log(`feed: ${name}, ${pools.length} pools: ${what} ${kilobytes} kB, ${times}`);
  }
}

function stateOf(sequence: number, graph: unknown): FeedState {
  const market = graph as MarketGraph;
  const hash = `0x${sequence.toString(16).padStart(64, "0")}` as const;
  const block = { number: BigInt(sequence), hash, parentHash: hash, timestamp: 1_700_000_000n };
  const rates = createRates(market, WRAPPED);
  const state = { ...{ chainId: 1, block, gasPrice: 1n, mostGas: 2n ** 24n, graph: market, rates, known: new Map() } };
  return { sequence, market: state, off: ALL_ON, keptOut: new Map() };
}

/** So many replicas that beat and read what one of them tells: Redis's own CPU, and how late the last one has it. */
async function measureFanOut(count: number, entries: number): Promise<void> {
  const place = { url: REDIS_URL, prefix: ownPrefix(), logger: createLogger("silent") };
  const names = keyNames(place);
  const connections: Redis[] = [];
  const open = () => {
    const connection = connect(place, 10_000);
    connections.push(connection);
    return connection;
  };
  const late: number[] = [];
  const readers: StreamReader[] = [];
  let writing: MarketStream | undefined;
  for (let index = 0; index < count; index++) {
    const pulse = new Pulse(open(), names, { id: `replica ${index}`, leaseMs: 5_000 });
    if (index === 0) {
      pulse.compete(true);
      writing = new MarketStream({
        connections: { writing: open(), reading: open(), hearing: open() },
        ...{ names, pulse, logger: place.logger },
      });
    }
    const reader = new StreamReader(
      { redis: open(), names, pulse },
      {
        begin: () => {},
        nothing: () => {},
        take(_, ageMs) {
          late.push(ageMs);
          return true;
        },
      },
    );
    readers.push(reader);
    void readOn(reader);
  }
  const shared = writing!;
  while (shared.lease.state !== "held") await sleep(50);
  const { token } = shared.lease;
  await shared.keepWhole(token, [new Uint8Array(ENTRY_BYTES)], undefined);
  await sleep(5_000);
  late.length = 0;
  const asking = connections[0]!;
  const [cpuBefore, at] = [await redisCpu(asking), performance.now()];
  for (let entry = 0; entry < entries; entry++) {
    await shared.append(token, new Uint8Array(ENTRY_BYTES));
    await sleep(ENTRY_EVERY_MS);
  }
  const seconds = (performance.now() - at) / 1_000;
  const cpu = (((await redisCpu(asking)) - cpuBefore) / seconds) * 100;
  const [p50, p99] = [quantile(late, 0.5).toFixed(0), quantile(late, 0.99).toFixed(0)];
  console.log(
    `feed: ${count} replicas, ${ENTRY_BYTES / 1_000} kB each second: Redis at ${cpu.toFixed(0)} % of a core, ` +
      `${late.length} of ${count * entries} entries came, p50 ${p50} ms, p99 ${p99} ms late (all readers in one process here)`,
  );
  for (const reader of readers) reader.stop();
  for (const connection of connections) connection.disconnect();
  await clearPrefix(place.prefix);
}

async function readOn(reader: StreamReader): Promise<void> {
  while (!reader.isOver) await reader.step().catch(() => sleep(100));
}

async function redisCpu(redis: Redis): Promise<number> {
  const text = await redis.info("cpu");
  const of = (name: string) => Number(new RegExp(`^${name}:(\\S+)`, "m").exec(text)?.[1] ?? Number.NaN);
  return of("used_cpu_user") + of("used_cpu_sys");
}
