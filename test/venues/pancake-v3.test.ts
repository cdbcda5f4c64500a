import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { toAddress, ZERO_ADDRESS } from "../../src/domain/address.ts";
import type { PoolRef } from "../../src/market/liquidity-source.ts";
import { sqrtRatioAtTick } from "../../src/math/tick-math.ts";
import { sourceContract } from "../market/liquidity-source.suite.ts";
import { type Anvil, startAnvil } from "./worlds/anvil.ts";
import { deployPancakeV3, type PancakeV3World } from "./worlds/brands/pancake-v3.ts";
import { type Busy, createPositionTraffic } from "./worlds/traffic/position-traffic.ts";
import { createRandom } from "./worlds/traffic/random.ts";
import { deployTokens } from "./worlds/v3.ts";

const BLOCKS = process.env.TRIBUTARY_LONG === "1" ? 400 : 20;

vi.setConfig({ testTimeout: process.env.TRIBUTARY_LONG === "1" ? 3_600_000 : 180_000 });

/** A farm that keeps account of nothing. */
const FARM = toAddress(`0x${"fa".repeat(20)}`);

let anvil: Anvil;
let world: PancakeV3World;

beforeAll(async () => {
  anvil = await startAnvil();
  world = await deployPancakeV3(anvil);
  await anvil.rpc("anvil_setCode", [FARM, "0x00"]);
});
afterAll(() => anvil?.stop());

test("following the logs leads to price, liquidity and ticks that the pools hold", async () => {
  const random = createRandom(47);
  const tokens = await deployTokens(anvil, world.spenders);
  const busy: Busy[] = [];
  for (const [fee, spacing, middle] of [
    [2500, 50, 3],
    [500, 10, 2_001],
  ] as const) {
    const pool = await world.create(tokens, fee, sqrtRatioAtTick(middle * spacing));
    busy.push({ pool, spacing, middle });
  }
  const start = await anvil.mine();
  const burn: typeof world.mint = ({ address }, ...position) => world.desk.burn(address, ...position);
  const setFarm = (ref: PoolRef) => world.setFarm(ref, random.pick([FARM, ZERO_ADDRESS]));
  const happen = createPositionTraffic(random, busy, { ...world, burn }, [world.disturb, setFarm]);
  const { source } = world;
  const { refs, applied } = await sourceContract({
    ...{ source, reader: anvil.reader, start, blocks: BLOCKS, logsOf: anvil.logsOf },
    act: () => happen().then(() => anvil.mine()),
  });
  expect(refs.map(({ id }) => id).sort()).toEqual(busy.map(({ pool: { id } }) => id).sort());
  const [, mints, burns, swaps, farms] = source.stateTopics.map((topic) => applied.get(topic) ?? 0);
  expect(mints).toBeGreaterThan(BLOCKS / 3);
  expect(burns).toBeGreaterThan(BLOCKS / 15);
  expect(swaps).toBeGreaterThan(BLOCKS / 6);
  expect(farms).toBeGreaterThan(1);
});
