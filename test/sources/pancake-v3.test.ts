import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { PoolRef } from "../../src/market/liquidity-source.ts";
import { sqrtRatioAtTick } from "../../src/math/tick-math.ts";
import { sourceContract } from "../support/source-contract.ts";
import { type Anvil, startAnvil } from "./anvil.ts";
import { deployPancakeV3, type PancakeV3World } from "./pancake-v3-world.ts";
import { createRandom } from "./random.ts";
import { deployTokens } from "./v3-world.ts";

const BLOCKS = process.env.TRIBUTARY_LONG === "1" ? 400 : 30;

vi.setConfig({ testTimeout: process.env.TRIBUTARY_LONG === "1" ? 3_600_000 : 180_000 });

let anvil: Anvil;
let world: PancakeV3World;

beforeAll(async () => {
  anvil = await startAnvil();
  world = await deployPancakeV3(anvil);
});
afterAll(() => anvil?.stop());

test("following the logs leads to price, liquidity and ticks that the pools hold", async () => {
  const random = createRandom(47);
  const tokens = await deployTokens(anvil, world.spenders);
  const kinds = [
    { fee: 2500, spacing: 50, middle: 3 },
    { fee: 500, spacing: 10, middle: 2_001 },
  ] as const;
  const pools: PoolRef[] = [];
  for (const { fee, spacing, middle } of kinds) {
    pools.push(await world.create(tokens, fee, sqrtRatioAtTick(middle * spacing)));
  }
  const start = await anvil.mine();
  const positions: (readonly [PoolRef, number, number, bigint])[] = [];
  const act = async () => {
    for (let count = random.int(0, 4); count > 0; count--) {
      const index = random.int(0, kinds.length - 1);
      const [pool, { spacing, middle }] = [pools[index] as PoolRef, kinds[index] as (typeof kinds)[number]];
      const kind = random.int(0, 9);
      const last = positions.at(-1);
      if (kind < 4 || last === undefined) {
        const lower = (middle + random.int(-40, 30)) * spacing;
        const position = [pool, lower, lower + random.int(1, 60) * spacing, random.ofBits(80)] as const;
        positions.push(position);
        await world.mint(...position);
      } else if (kind < 6) {
        const [{ address }, lower, upper, liquidity] = last;
        positions.pop();
        await world.desk.burn(address, lower, upper, liquidity);
      } else if (kind === 6) await world.disturb(pool);
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
  const [, mints, burns, swaps] = source.stateTopics.map((topic) => applied.get(topic) ?? 0);
  expect(mints).toBeGreaterThan(BLOCKS / 3);
  expect(burns).toBeGreaterThan(BLOCKS / 15);
  expect(swaps).toBeGreaterThan(BLOCKS / 6);
});
