import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { PoolRef } from "../../src/market/liquidity-source.ts";
import { sqrtRatioAtTick } from "../../src/math/tick-math.ts";
import { sourceContract } from "../support/source-contract.ts";
import { type AlgebraWorld, deployAlgebra } from "./algebra-world.ts";
import { type Anvil, startAnvil } from "./anvil.ts";
import { createRandom } from "./random.ts";
import { deployTokens } from "./v3-world.ts";

const BLOCKS = process.env.TRIBUTARY_LONG === "1" ? 400 : 40;

vi.setConfig({ testTimeout: process.env.TRIBUTARY_LONG === "1" ? 3_600_000 : 180_000 });

let anvil: Anvil;
let world: AlgebraWorld;

beforeAll(async () => {
  anvil = await startAnvil();
  world = await deployAlgebra(anvil);
});
afterAll(() => anvil?.stop());

test("following the logs leads to price, liquidity, fee and ticks that the pools hold", async () => {
  const random = createRandom(59);
  const middles = [3, -2_000] as const;
  const pools: PoolRef[] = [];
  for (const middle of middles) {
    const tokens = await deployTokens(anvil, world.spenders);
    pools.push(await world.create(tokens, 500, sqrtRatioAtTick(middle * 60) + 99n));
  }
  const start = await anvil.mine();
  const positions: (readonly [PoolRef, number, number, bigint])[] = [];
  const act = async () => {
    for (let count = random.int(0, 4); count > 0; count--) {
      const index = random.int(0, 1);
      const [pool, middle] = [pools[index] as PoolRef, middles[index] as number];
      const kind = random.int(0, 10);
      const last = positions.at(-1);
      if (kind < 4 || last === undefined) {
        const lower = (middle + random.int(-40, 30)) * 60;
        const position = [pool, lower, lower + random.int(1, 60) * 60, random.ofBits(80)] as const;
        positions.push(position);
        await world.mint(...position);
      } else if (kind < 6) {
        const [{ address }, lower, upper, liquidity] = last;
        positions.pop();
        await world.burn(address, lower, upper, liquidity);
      } else if (kind === 6) await world.setFee(pool.address, random.int(0, 50_000));
      // Positions of a finer spacing stay where they are when it becomes coarser.
      else if (kind === 7) await world.setTickSpacing(pool.address, random.pick([1, 20, 60]));
      else await world.swapExactIn(pool, random.chance(0.5), random.ofBits(82));
    }
    return anvil.mine();
  };
  const { source } = world;
  const { refs, applied } = await sourceContract({
    ...{ source, reader: anvil.reader, start, blocks: BLOCKS, act },
    logsOf: anvil.logsOf,
  });
  expect(refs.map(({ id }) => id).sort()).toEqual(pools.map(({ id }) => id).sort());
  const [, mints, burns, swaps, fees] = source.stateTopics.map((topic) => applied.get(topic) ?? 0);
  expect(mints).toBeGreaterThan(BLOCKS / 3);
  expect(burns).toBeGreaterThan(BLOCKS / 20);
  expect(swaps).toBeGreaterThan(BLOCKS / 8);
  expect(fees).toBeGreaterThan(0);
});

test("a pool whose plugin is asked before a swap is left out for as long as that is so", async () => {
  const { source } = world;
  const ref = await world.create(await deployTokens(anvil, world.spenders), 500, sqrtRatioAtTick(0));
  await world.mint(ref, -600, 600, 10n ** 20n);
  const [pool] = await source.sync(anvil.reader, [ref], await anvil.mine());
  if (pool === undefined) throw new Error("the pool cannot be read");
  for (const [config, known] of [
    [0x01, false],
    [0x82, true],
    [0x81, false],
    [0x00, true],
  ] as const) {
    await world.setPlugin(ref.address, config);
    const block = await anvil.mine();
    expect(await source.sync(anvil.reader, [ref], block)).toHaveLength(known ? 1 : 0);
    const logs = (await anvil.logsOf(block)).filter(({ topics }) => source.stateTopics.includes(topics[0] ?? "0x"));
    const last = logs.at(-1);
    if (last === undefined) throw new Error("nothing was logged");
    expect(source.apply(pool, last) === "resync").toBe(!known);
  }
});

test("a pool without a price is left out", async () => {
  const { source } = world;
  const ref = await world.create(await deployTokens(anvil, world.spenders), 500, 0n);
  expect(await source.sync(anvil.reader, [ref], await anvil.mine())).toEqual([]);
});
