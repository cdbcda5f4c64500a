import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { ZERO_ADDRESS } from "../../src/domain/address.ts";
import type { PoolRef } from "../../src/market/liquidity-source.ts";
import { sqrtRatioAtTick } from "../../src/math/tick-math.ts";
import type { Pool } from "../../src/pools/pool.ts";
import { DYNAMIC_FEE } from "../../src/venues/uniswap-v4/pool-key.ts";
import { sourceContract } from "../market/liquidity-source.suite.ts";
import { type Anvil, startAnvil } from "./worlds/anvil.ts";
import { deployInfinity, FEE_HOOKS, type InfinityWorld } from "./worlds/singletons/infinity.ts";
import { type Busy, createPositionTraffic } from "./worlds/traffic/position-traffic.ts";
import { createRandom } from "./worlds/traffic/random.ts";
import { deployTokens } from "./worlds/v3.ts";

const BLOCKS = process.env.TRIBUTARY_LONG === "1" ? 400 : 20;

vi.setConfig({ testTimeout: process.env.TRIBUTARY_LONG === "1" ? 3_600_000 : 180_000 });

let anvil: Anvil;
let world: InfinityWorld;

beforeAll(async () => {
  anvil = await startAnvil();
  world = await deployInfinity(anvil);
});
afterAll(() => anvil?.stop());

const plain = { hooks: ZERO_ADDRESS, registration: 0 } as const;

test("following the logs leads to price, liquidity, fees and ticks that the pools hold", async () => {
  const random = createRandom(71);
  const [a, b] = await deployTokens(anvil, world.spenders);
  const busy: Busy[] = [];
  for (const [currencies, fee, hooks, spacing, middle] of [
    [[a, b], 2500, ZERO_ADDRESS, 50, 3],
    [[a, b], DYNAMIC_FEE, FEE_HOOKS, 10, 2_001],
    [[ZERO_ADDRESS, a], 100, ZERO_ADDRESS, 1, -40],
  ] as const) {
    const price = sqrtRatioAtTick(middle * spacing) + 777n;
    const pool = await world.initialize(currencies, { fee, tickSpacing: spacing, hooks, registration: 0 }, price);
    busy.push({ pool, spacing, middle });
  }
  const start = await anvil.mine();
  const burn: typeof world.mint = (pool, lower, upper, liquidity) => world.modify(pool, lower, upper, -liquidity);
  const dynamic = busy[1]!.pool;
  const happen = createPositionTraffic(random, busy, { ...world, burn }, [
    (pool) => world.setProtocolFees(pool, random.int(0, 4_000), random.int(0, 4_000)),
    () => world.setFee(dynamic, random.int(0, 900_000)),
  ]);
  const { source } = world;
  const { refs, applied } = await sourceContract({
    ...{ source, reader: anvil.reader, start, blocks: BLOCKS, logsOf: anvil.logsOf },
    act: () => happen().then(() => anvil.mine()),
  });
  expect(refs.map(({ id }) => id).sort()).toEqual(busy.map(({ pool: { id } }) => id).sort());
  const [positionsChanged, swaps, protocolFees, fees] = source.stateTopics.map((topic) => applied.get(topic) ?? 0);
  expect(positionsChanged).toBeGreaterThan(BLOCKS / 3);
  expect(swaps).toBeGreaterThan(BLOCKS / 15);
  expect(protocolFees).toBeGreaterThan(0);
  expect(fees).toBeGreaterThan(0);
});

test("pools whose hooks are called in a swap are left out and counted; a reference must be the key's own", async () => {
  const { source, manager } = world;
  const tokens = await deployTokens(anvil, world.spenders);
  const at = await anvil.mine();
  const counts = { ours: 0, strangers: 0 };
  for (const bit of [0, 2, 5, 6, 7, 8, 9, 10, 11, 12, 13]) {
    const changesSwaps = [6, 7, 10, 11].includes(bit);
    const terms = { fee: 3000, tickSpacing: 60, hooks: FEE_HOOKS, registration: 1 << bit };
    const pool = await world.initialize(tokens, terms, sqrtRatioAtTick(0));
    const logs = await anvil.reader.logs({
      ...{ addresses: [manager], topics: source.creation?.topics ?? [] },
      ...{ fromBlock: at.number, to: await anvil.head() },
    });
    const log = logs.find(({ topics }) => topics[1] === pool.id)!;
    expect(source.created?.(log)?.id, String(bit)).toBe(changesSwaps ? undefined : pool.id);
    expect(source.refused?.(log), String(bit)).toBe(changesSwaps ? "UNKNOWN_HOOKS" : undefined);
    expect(await source.sync(anvil.reader, [pool], await anvil.head())).toHaveLength(changesSwaps ? 0 : 1);
    counts[changesSwaps ? "strangers" : "ours"]++;
  }
  expect(counts).toEqual({ ours: 7, strangers: 4 });

  const pool = await world.initialize(tokens, { ...plain, fee: 500, tickSpacing: 10 }, sqrtRatioAtTick(0));
  const head = await anvil.head();
  expect(await source.sync(anvil.reader, [pool], head)).toHaveLength(1);
  for (const wrong of [
    { ...pool, terms: { ...pool.terms, fee: "501" } },
    { ...pool, terms: { ...pool.terms, registration: "1" } },
    { ...pool, tokens: pool.tokens.toReversed() },
    { ...pool, address: tokens[0] },
  ]) {
    expect(await source.sync(anvil.reader, [wrong], head)).toEqual([]);
  }
});

test("a fee that hooks set is told by its log, and who sets it is the pool's controller", async () => {
  const { source } = world;
  const tokens = await deployTokens(anvil, world.spenders);
  const terms = { fee: DYNAMIC_FEE, tickSpacing: 60, hooks: FEE_HOOKS, registration: 0 };
  const ref = await world.initialize(tokens, terms, sqrtRatioAtTick(0));
  const [before] = await source.sync(anvil.reader, [ref], await anvil.mine());
  expect(feeOf(before!)).toBe(0);
  expect(before?.controllers).toEqual([FEE_HOOKS]);
  await world.setFee(ref, 2_345);
  const block = await anvil.mine();
  const [log] = await anvil.logsOf(block);
  const after = source.apply(before!, log!, block.timestamp);
  expect(after === "resync" ? after : feeOf(after)).toBe(2_345);
  await world.setFee(ref, 1_000_000);
  const last = await anvil.mine();
  expect(source.apply(before!, (await anvil.logsOf(last))[0]!, last.timestamp)).toBe("resync");
  expect(await source.sync(anvil.reader, [ref], last)).toEqual([]);
});

test("no pool is served while the manager is paused, and it is said why", async () => {
  const tokens = await deployTokens(anvil, world.spenders);
  const ref = await world.initialize(tokens, { ...plain, fee: 500, tickSpacing: 10 }, sqrtRatioAtTick(0));
  const read = async () => {
    const told: string[] = [];
    const pools = await world.source.sync(anvil.reader, [ref], await anvil.mine(), (_, reason) => told.push(reason));
    return { pools: pools.length, told };
  };
  await world.manage("pause");
  expect(await read()).toEqual({ pools: 0, told: ["PAUSED"] });
  await world.manage("unpause");
  expect(await read()).toEqual({ pools: 1, told: [] });
});

test("many pools are read together, each as if it were alone", async () => {
  const { source } = world;
  const tokens = await deployTokens(anvil, world.spenders);
  const pools: PoolRef[] = [];
  for (let spacing = 60; spacing < 66; spacing++) {
    const terms = { ...plain, fee: 3000, tickSpacing: spacing };
    const pool = await world.initialize(tokens, terms, sqrtRatioAtTick(0));
    await world.modify(pool, -10 * spacing, spacing * (spacing - 50), 10n ** 20n);
    pools.push(pool);
  }
  const at = await anvil.mine();
  const together = await source.sync(anvil.reader, pools, at);
  const alone = await Promise.all(pools.map((pool) => source.sync(anvil.reader, [pool], at)));
  expect(together).toEqual(alone.flat());
  expect(together).toHaveLength(pools.length);
});

function feeOf(pool: Pool): number | undefined {
  return pool.curve === "concentrated" ? pool.state.feePpm : undefined;
}
