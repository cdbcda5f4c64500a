import { encodeAbiParameters, type Hex, pad, toEventSelector, toFunctionSelector } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ChainReader, Log } from "../../src/market/chain-reader.ts";
import type { PoolRef } from "../../src/market/liquidity-source.ts";
import { sqrtRatioAtTick } from "../../src/math/tick-math.ts";
import type { Pool } from "../../src/pools/pool.ts";
import { sourceContract } from "../market/liquidity-source.suite.ts";
import { concentratedExactness, expectCovered } from "../support/suites/concentrated-exactness.ts";
import { type Anvil, startAnvil } from "./worlds/anvil.ts";
import { deployRamses, type SlipstreamWorld } from "./worlds/slipstream.ts";
import { createRandom } from "./worlds/traffic/random.ts";
import { deployTokens } from "./worlds/v3.ts";

const LONG = process.env.TRIBUTARY_LONG === "1";
const BLOCKS = LONG ? 400 : 20;
const SEEDS = LONG ? Array.from({ length: 12 }, (_, index) => 96 + index) : [96];
const ROUNDS = LONG ? 5 : 2;

let anvil: Anvil;
let world: SlipstreamWorld;

beforeAll(async () => {
  anvil = await startAnvil();
  world = await deployRamses(anvil);
});
afterAll(() => anvil?.stop());

test.each(SEEDS)("quotes are the pools' own to the wei, whatever fee the factory has set: seed %i", async (seed) => {
  const seen = await concentratedExactness(anvil, world, { protocol: "ramses", rounds: ROUNDS, seed });
  expectCovered(seen, world, ROUNDS);
});

test("following the logs and reading fees again leads to what the pools hold and ask for", async () => {
  const random = createRandom(96);
  const tokens = await deployTokens(anvil, world.spenders);
  const pool = await world.create(tokens, 3_000, sqrtRatioAtTick(600));
  const start = await anvil.mine();
  const act = async () => {
    for (let count = random.int(0, 4); count > 0; count--) {
      const kind = random.int(0, 9);
      const lower = random.int(-40, 30) * 200;
      if (kind < 4) await world.mint(pool, lower, lower + random.int(1, 60) * 200, random.ofBits(80));
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

test("the makers' own events: a mint with a position's number, and a fee that changes", async () => {
  const { source } = world;
  const { pool, ref, at } = await mintedPool();
  const uniswap = toEventSelector("Mint(address,address,int24,int24,uint128,uint256,uint256)");
  const own = "0xd78218c0d304e8893cb3200abe394bbc8d5b7804d9c51f236df9fdcf481d02d3";
  const adjusted = "0x0cba87189055d3b5ab05c96fbd641bc766576c9e7cf0d195bdfb58a0c6a6df24";
  expect(source.stateTopics).toEqual(expect.arrayContaining([uniswap, own, adjusted]));
  const logOf = (topics: readonly Hex[], data: Hex): Log => ({
    ...{ address: ref.address, topics, data, blockHash: at.hash, blockNumber: at.number, logIndex: 0 },
  });
  const words = (...values: readonly bigint[]) =>
    encodeAbiParameters(
      values.map(() => ({ type: "uint256" })),
      values,
    );
  const owner = pad(anvil.account);
  const [lower, upper] = [400n, 800n].map((tick) => pad(`0x${tick.toString(16)}`)) as [Hex, Hex];
  const amount = 7n * 10n ** 15n;
  const asUniswap = source.apply(pool, logOf([uniswap, owner, lower, upper], words(1n, amount, 5n, 6n)), 0n);
  const withIndex = source.apply(pool, logOf([own, owner, lower, upper], words(1n, 99n, amount, 5n, 6n)), 0n);
  expect(withIndex).not.toEqual(pool);
  expect(withIndex).toEqual(asUniswap);
  const raised = source.apply(pool, logOf([adjusted], words(3_000n, 4_200n)), 0n) as Pool;
  expect(raised.state).toEqual({ ...pool.state, feePpm: 4_200 });
  expect(source.apply(pool, logOf([adjusted], words(3_000n, 1_000_000n)), 0n)).toBe("resync");
});

test("a pool that tells its current fee is charged with that one", async () => {
  const { ref, at } = await mintedPool();
  const currentFee = toFunctionSelector("currentFee()");
  const reader: ChainReader = {
    ...anvil.reader,
    async calls(calls, block) {
      const answers = await anvil.reader.calls(calls, block);
      return answers.map((answer, i) =>
        calls[i]?.data === currentFee ? encodeAbiParameters([{ type: "uint24" }], [777]) : answer,
      );
    },
  };
  const [read] = await world.source.sync(reader, [ref], at);
  expect(read?.state).toMatchObject({ feePpm: 777 });
  const [again] = (await world.source.refresh?.(anvil.reader, [read as Pool], at)) ?? [];
  expect(again?.state).toMatchObject({ feePpm: 3_000 });
});

async function mintedPool() {
  const tokens = await deployTokens(anvil, world.spenders);
  const ref: PoolRef = await world.create(tokens, 3_000, sqrtRatioAtTick(600));
  await world.mint(ref, 200, 1_000, 10n ** 18n);
  const at = await anvil.mine();
  const [pool] = await world.source.sync(anvil.reader, [ref], at);
  if (pool === undefined) throw new Error("the pool cannot be read");
  return { pool, ref, at };
}
