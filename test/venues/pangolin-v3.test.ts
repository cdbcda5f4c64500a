import { encodeAbiParameters, keccak256, toBytes } from "viem";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Log } from "../../src/market/chain-reader.ts";
import { sqrtRatioAtTick } from "../../src/math/tick-math.ts";
import { sourceContract } from "../market/liquidity-source.suite.ts";
import { concentratedExactness, expectCovered } from "../support/suites/concentrated-exactness.ts";
import { type Anvil, startAnvil } from "./worlds/anvil.ts";
import { deployPangolinV3, type PangolinV3World } from "./worlds/brands/pangolin-v3.ts";
import { createRandom } from "./worlds/traffic/random.ts";
import { deployTokens } from "./worlds/v3.ts";

const LONG = process.env.TRIBUTARY_LONG === "1";
const BLOCKS = LONG ? 400 : 20;
const SEEDS = LONG ? Array.from({ length: 12 }, (_, index) => 501 + index) : [501];
const ROUNDS = LONG ? 5 : 2;

vi.setConfig({ testTimeout: LONG ? 3_600_000 : 180_000 });

let anvil: Anvil;
let world: PangolinV3World;

beforeAll(async () => {
  anvil = await startAnvil();
  world = await deployPangolinV3(anvil);
});
afterAll(() => anvil?.stop());

test.each(SEEDS)("quotes are the pools' own to the wei, whatever fee they were given: seed %i", async (seed) => {
  const seen = await concentratedExactness(anvil, world, { protocol: "pangolin-v3", rounds: ROUNDS, seed });
  expectCovered(seen, world, ROUNDS);
});

test("following the logs and reading fees again leads to what the pools hold and ask for", async () => {
  const random = createRandom(501);
  const tokens = await deployTokens(anvil, world.spenders);
  const pool = await world.create(tokens, 2_500, sqrtRatioAtTick(600));
  const start = await anvil.mine();
  const act = async () => {
    for (let count = random.int(0, 4); count > 0; count--) {
      const kind = random.int(0, 9);
      const lower = random.int(-40, 30) * 60;
      if (kind < 4) await world.mint(pool, lower, lower + random.int(1, 60) * 60, random.ofBits(80));
      else if (kind < 6) await world.disturb(pool);
      else await world.swapExactIn(pool, random.chance(0.5), random.ofBits(82));
    }
    return anvil.mine();
  };
  const created: typeof world.source.created = (log) => {
    const found = world.source.created?.(log);
    return found?.id === pool.id ? found : undefined;
  };
  const { refs } = await sourceContract({
    ...{ source: { ...world.source, created }, reader: anvil.reader, start, blocks: BLOCKS, act },
    logsOf: anvil.logsOf,
  });
  expect(refs).toEqual([pool]);
});

test("a pool is named by its first fee and asks for the one that its log tells", async () => {
  const { source } = world;
  const tokens = await deployTokens(anvil, world.spenders);
  const ref = await world.create(tokens, 8_000, sqrtRatioAtTick(600));
  await world.mint(ref, 200, 1_000, 10n ** 18n);
  const at = await anvil.mine();
  const [pool] = await source.sync(anvil.reader, [ref], at);
  if (pool === undefined) throw new Error("the pool cannot be read");
  const logOf = (before: number, after: number): Log => ({
    ...{ address: ref.address, topics: [keccak256(toBytes("SetFee(uint24,uint24)"))] },
    data: encodeAbiParameters([{ type: "uint24" }, { type: "uint24" }], [before, after]),
    ...{ blockHash: at.hash, blockNumber: at.number, logIndex: 0 },
  });
  expect(source.stateTopics).toContain(logOf(0, 0).topics[0]);
  expect(source.apply(pool, logOf(8_000, 1_000_000), 0n)).toBe("resync");
  const changed = source.apply(pool, logOf(8_000, 4_321), 0n);
  expect(changed).toEqual({ ...pool, state: { ...pool.state, feePpm: 4_321 } });
  await world.setFee(ref.address, 4_321);
  const now = await anvil.mine();
  expect(await source.sync(anvil.reader, [ref], now)).toEqual([changed]);
  expect(await source.between?.(anvil.reader, [tokens[0], tokens[1]], now)).toEqual([ref]);
});
