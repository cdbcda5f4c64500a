import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { sqrtRatioAtTick } from "../../src/math/tick-math.ts";
import { sourceContract } from "../market/liquidity-source.suite.ts";
import { type AlgebraWorld, deployAlgebra } from "./worlds/algebra/integral.ts";
import { type Anvil, startAnvil } from "./worlds/anvil.ts";
import { type Busy, createPositionTraffic } from "./worlds/traffic/position-traffic.ts";
import { createRandom } from "./worlds/traffic/random.ts";
import { deployTokens } from "./worlds/v3.ts";

const BLOCKS = process.env.TRIBUTARY_LONG === "1" ? 400 : 20;

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
  const busy: Busy[] = [];
  for (const middle of [3, -2_000]) {
    const tokens = await deployTokens(anvil, world.spenders);
    const pool = await world.create(tokens, 500, sqrtRatioAtTick(middle * 60) + 99n);
    busy.push({ pool, spacing: 60, middle });
  }
  const start = await anvil.mine();
  const burn: typeof world.mint = ({ address }, ...position) => world.burn(address, ...position);
  const happen = createPositionTraffic(random, busy, { ...world, burn }, [
    ({ address }) => world.setFee(address, random.int(0, 50_000)),
    // Positions of a finer spacing stay where they are when it becomes coarser.
    ({ address }) => world.setTickSpacing(address, random.pick([1, 20, 60])),
  ]);
  const { source } = world;
  const { refs, applied } = await sourceContract({
    ...{ source, reader: anvil.reader, start, blocks: BLOCKS, logsOf: anvil.logsOf },
    act: () => happen().then(() => anvil.mine()),
  });
  expect(refs.map(({ id }) => id).sort()).toEqual(busy.map(({ pool: { id } }) => id).sort());
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
    expect(source.apply(pool, last, block.timestamp) === "resync").toBe(!known);
  }
});

test("a pool without a price is left out", async () => {
  const { source } = world;
  const ref = await world.create(await deployTokens(anvil, world.spenders), 500, 0n);
  expect(await source.sync(anvil.reader, [ref], await anvil.mine())).toEqual([]);
});
