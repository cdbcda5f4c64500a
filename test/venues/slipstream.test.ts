import { afterAll, beforeAll, expect, test } from "vitest";
import type { PoolRef } from "../../src/market/liquidity-source.ts";
import { sqrtRatioAtTick } from "../../src/math/tick-math.ts";
import { sourceContract } from "../market/liquidity-source.suite.ts";
import { concentratedExactness, expectCovered } from "../support/suites/concentrated-exactness.ts";
import { type Anvil, startAnvil } from "./worlds/anvil.ts";
import { deploySlipstream, type SlipstreamWorld } from "./worlds/slipstream.ts";
import { createRandom } from "./worlds/traffic/random.ts";
import { deployTokens } from "./worlds/v3.ts";

const LONG = process.env.TRIBUTARY_LONG === "1";
const BLOCKS = LONG ? 400 : 20;
const ROUNDS = LONG ? 5 : 2;
const SEEDS = LONG ? Array.from({ length: 12 }, (_, index) => 71 + index) : [71];

let anvil: Anvil;
let world: SlipstreamWorld;

beforeAll(async () => {
  anvil = await startAnvil();
  world = await deploySlipstream(anvil);
});
afterAll(() => anvil?.stop());

test.each(SEEDS)("quotes are the pools' own to the wei, whatever fee they ask for: seed %i", async (seed) => {
  const seen = await concentratedExactness(anvil, world, { protocol: "slipstream", rounds: ROUNDS, seed });
  expectCovered(seen, world, ROUNDS);
});

test("following the logs and reading fees again leads to what the pools hold and ask for", async () => {
  const random = createRandom(72);
  const tokens = await deployTokens(anvil, world.spenders);
  const kinds = [
    { fee: 3_000, spacing: 200, middle: 3 },
    { fee: 500, spacing: 50, middle: 400 },
  ] as const;
  const pools: PoolRef[] = [];
  for (const { fee, spacing, middle } of kinds) {
    pools.push(await world.create(tokens, fee, sqrtRatioAtTick(middle * spacing)));
  }
  const start = await anvil.mine();
  let fees = 0;
  const act = async () => {
    for (let count = random.int(0, 4); count > 0; count--) {
      const index = random.int(0, kinds.length - 1);
      const [pool, { spacing, middle }] = [pools[index] as PoolRef, kinds[index] as (typeof kinds)[number]];
      const kind = random.int(0, 9);
      if (kind < 4) {
        const lower = (middle + random.int(-40, 30)) * spacing;
        await world.mint(pool, lower, lower + random.int(1, 60) * spacing, random.ofBits(80));
      } else if (kind < 6) {
        fees++;
        await world.disturb(pool);
      } else await world.swapExactIn(pool, random.chance(0.5), random.ofBits(82));
    }
    return anvil.mine();
  };
  const { source } = world;
  const mine = new Set(pools.map(({ id }) => id));
  const created: typeof source.created = (log) => {
    const found = source.created?.(log);
    return found !== undefined && mine.has(found.id) ? found : undefined;
  };
  const { refs, applied } = await sourceContract({
    ...{ source: { ...source, created }, reader: anvil.reader, start, blocks: BLOCKS, act },
    logsOf: anvil.logsOf,
  });
  expect(refs.map(({ id }) => id).sort()).toEqual([...mine].sort());
  const [, mints, , swaps] = source.stateTopics.map((topic) => applied.get(topic) ?? 0);
  expect(mints).toBeGreaterThan(BLOCKS / 3);
  expect(swaps).toBeGreaterThan(BLOCKS / 6);
  expect(fees).toBeGreaterThan(BLOCKS / 6);

  // A pool that the factory does not know by this spacing is none of its pools.
  const [ref] = refs;
  if (ref === undefined) throw new Error("no pool");
  const at = await anvil.head();
  expect(await source.sync(anvil.reader, [{ ...ref, terms: { tickSpacing: "50" } }], at)).toEqual([]);
  const [pool] = await source.sync(anvil.reader, [ref], at);
  // Nothing can be staked here: the pool is Uniswap V3's.
  expect(pool?.state).not.toHaveProperty("family");
  if (pool === undefined) throw new Error("the pool cannot be read");
  const fill = { poolId: pool.id, source: "", sellToken: tokens[0], buyToken: tokens[1] };
  expect(source.action(pool, { ...fill, sellAmount: 1n, buyAmount: 1n, gas: 0n, share: 1n })).toEqual({
    ...{ action: "v3-pool", pool: pool.id },
  });
});
