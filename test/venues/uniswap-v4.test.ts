import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { toAddress, ZERO_ADDRESS } from "../../src/domain/address.ts";
import type { ChainReader } from "../../src/market/chain-reader.ts";
import type { PoolRef } from "../../src/market/liquidity-source.ts";
import { sqrtRatioAtTick } from "../../src/math/tick-math.ts";
import type { Pool } from "../../src/pools/pool.ts";
import { DYNAMIC_FEE } from "../../src/venues/uniswap-v4/pool-key.ts";
import { sourceContract } from "../market/liquidity-source.suite.ts";
import { type Anvil, startAnvil } from "./worlds/anvil.ts";
import { deployV4, FEE_HOOKS, type V4World } from "./worlds/singletons/v4.ts";
import { type Busy, createPositionTraffic } from "./worlds/traffic/position-traffic.ts";
import { createRandom } from "./worlds/traffic/random.ts";
import { deployTokens } from "./worlds/v3.ts";

const BLOCKS = process.env.TRIBUTARY_LONG === "1" ? 400 : 20;

vi.setConfig({ testTimeout: process.env.TRIBUTARY_LONG === "1" ? 3_600_000 : 180_000 });

let anvil: Anvil;
let world: V4World;

beforeAll(async () => {
  anvil = await startAnvil();
  world = await deployV4(anvil);
});
afterAll(() => anvil?.stop());

test("following the logs leads to price, liquidity, fees and ticks that the pools hold", async () => {
  const random = createRandom(53);
  const [a, b] = await deployTokens(anvil, world.spenders);
  const busy: Busy[] = [];
  for (const [currencies, fee, spacing, middle] of [
    [[a, b], 3000, 60, 3],
    [[a, b], 500, 10, 2_001],
    [[ZERO_ADDRESS, a], 3000, 60, -40],
  ] as const) {
    const price = sqrtRatioAtTick(middle * spacing) + 777n;
    busy.push({ pool: await world.initialize(currencies, fee, spacing, ZERO_ADDRESS, price), spacing, middle });
  }
  const start = await anvil.mine();
  const burn: typeof world.mint = (pool, lower, upper, liquidity) => world.modify(pool, lower, upper, -liquidity);
  const happen = createPositionTraffic(random, busy, { ...world, burn }, [
    (pool) => world.setProtocolFees(pool, random.int(0, 1_000), random.int(0, 1_000)),
  ]);
  const { source } = world;
  const { refs, applied } = await sourceContract({
    ...{ source, reader: anvil.reader, start, blocks: BLOCKS, logsOf: anvil.logsOf },
    act: () => happen().then(() => anvil.mine()),
  });
  expect(refs.map(({ id }) => id).sort()).toEqual(busy.map(({ pool: { id } }) => id).sort());
  const [positionsChanged, swaps, fees] = source.stateTopics.map((topic) => applied.get(topic) ?? 0);
  expect(positionsChanged).toBeGreaterThan(BLOCKS / 3);
  expect(swaps).toBeGreaterThan(BLOCKS / 6);
  expect(fees).toBeGreaterThan(0);
});

test("a fee that hooks set is read again for every block, of the pools only that have such a fee", async () => {
  const { source } = world;
  const tokens = await deployTokens(anvil, world.spenders);
  const dynamic = await world.initialize(tokens, DYNAMIC_FEE, 60, FEE_HOOKS, sqrtRatioAtTick(0));
  const fixed = await world.initialize(tokens, 3000, 60, ZERO_ADDRESS, sqrtRatioAtTick(0));
  for (const pool of [dynamic, fixed]) await world.modify(pool, -600, 600, 10n ** 20n);
  const before = await source.sync(anvil.reader, [dynamic, fixed], await anvil.mine());
  expect(before.map(feeOf)).toEqual([0, 3000]);
  await world.setFee(dynamic, 2_345);
  const block = await anvil.mine();
  expect((await anvil.logsOf(block)).length).toBe(0);
  const after = (await source.refresh?.(anvil.reader, before, block)) ?? [];
  expect(after.map(feeOf)).toEqual([2_345, 3000]);
  expect(after[1]).toBe(before[1]);
  expect(after).toEqual(await source.sync(anvil.reader, [dynamic, fixed], block));
  const again = (await source.refresh?.(anvil.reader, after, block)) ?? [];
  expect(again[0]).toBe(after[0]);
  await world.setFee(dynamic, 1_000_000);
  expect((await source.refresh?.(anvil.reader, after, await anvil.mine()))?.map(feeOf)).toEqual([3000]);
});

test("pools whose hooks are called in a swap are none of ours; a reference must be the key's own", async () => {
  const { source, manager } = world;
  const tokens = await deployTokens(anvil, world.spenders);
  const at = await anvil.mine();
  const hooksWith = (bits: number) =>
    toAddress(`0x${(0xfee0_0000n + 0x10000n + BigInt(bits)).toString(16).padStart(40, "0")}`);
  const counts = { ours: 0, strangers: 0 };
  // Hooks of creation are left out: they would need code that answers.
  for (const bits of [0x800, 0x80, 0x40, 0x88, 0x44, 0x8c0, 0x10, 0x400]) {
    const changesSwaps = (bits & 0xcc) !== 0;
    await world.initialize(tokens, 3000, 60, hooksWith(bits), sqrtRatioAtTick(0));
    const logs = await anvil.reader.logs({
      ...{ addresses: [manager], topics: source.creation?.topics ?? [] },
      ...{ fromBlock: at.number, to: await anvil.head() },
    });
    const refs = logs.flatMap((log) => source.created?.(log) ?? []);
    const found = refs.some(({ terms }) => terms.hooks === hooksWith(bits));
    expect(found, bits.toString(16)).toBe(!changesSwaps);
    counts[changesSwaps ? "strangers" : "ours"]++;
  }
  expect(counts).toEqual({ ours: 3, strangers: 5 });

  const pool = await world.initialize(tokens, 500, 10, ZERO_ADDRESS, sqrtRatioAtTick(0));
  const head = await anvil.head();
  expect(await source.sync(anvil.reader, [pool], head)).toHaveLength(1);
  for (const wrong of [
    { ...pool, terms: { ...pool.terms, fee: "501" } },
    { ...pool, tokens: pool.tokens.toReversed() },
    { ...pool, address: tokens[0] },
  ]) {
    expect(await source.sync(anvil.reader, [wrong], head)).toEqual([]);
  }
  expect(source.poolOf?.({ ...(await anvil.logsOf(head))[0]!, address: manager })).toBe(pool.id);
});

test("many pools are read together, each as if it were alone", async () => {
  const { source } = world;
  const tokens = await deployTokens(anvil, world.spenders);
  const pools: PoolRef[] = [];
  for (let spacing = 60; spacing < 72; spacing++) {
    const pool = await world.initialize(tokens, 3000, spacing, ZERO_ADDRESS, sqrtRatioAtTick(0));
    await world.modify(pool, -10 * spacing, spacing * (spacing - 50), 10n ** 20n);
    pools.push(pool);
  }
  const at = await anvil.mine();
  let rounds = 0;
  // As a node that runs no creation code.
  const counting: ChainReader = {
    logs: anvil.reader.logs,
    calls(...asked) {
      rounds += 1;
      return anvil.reader.calls(...asked);
    },
  };
  const together = await source.sync(counting, pools, at);
  expect(rounds).toBeLessThan(pools.length / 2);
  const alone = await Promise.all(pools.map((pool) => source.sync(anvil.reader, [pool], at)));
  expect(together).toEqual(alone.flat());
  expect(together).toHaveLength(pools.length);
});

function feeOf(pool: Pool): number | undefined {
  return pool.curve === "concentrated" ? pool.state.feePpm : undefined;
}
