import { afterAll, beforeAll, expect, test } from "vitest";
import type { LiquiditySource, PoolRef } from "../../../src/market/liquidity-source.ts";
import { sqrtRatioAtTick } from "../../../src/math/tick-math.ts";
import type { ConcentratedState } from "../../../src/pools/concentrated/state.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { sourceContract } from "../../market/liquidity-source.suite.ts";
import type { AdaptiveWorld, AlgebraV1World } from "../../venues/worlds/algebra/v1.ts";
import { type Anvil, startAnvil } from "../../venues/worlds/anvil.ts";
import { createRandom } from "../../venues/worlds/traffic/random.ts";
import { deployTokens } from "../../venues/worlds/v3.ts";
import { concentratedExactness, expectCovered } from "./concentrated-exactness.ts";

/** Seed and length of a run. */
interface Run {
  /** Venue whose cases are counted. */
  readonly protocol: string;
  readonly seed: number;
  /** Pools that are quoted, and blocks that are followed. */
  readonly rounds: number;
  readonly blocks: number;
  /** Shares of the quotes that cross at least two ticks, and a gap. */
  readonly least?: { readonly twoTicks: number; readonly gap: number };
  /** The tick spacing of the table that the contracts step over, where it is another one than the one that they answer with. */
  readonly steppedBy?: number;
}

/** The tests of pools with a fee by past prices, in a world of such pools. */
export function testAdaptiveFees<World extends AdaptiveWorld>(
  deploy: (anvil: Anvil) => Promise<World>,
  { protocol, seed, rounds, blocks, least, steppedBy }: Run,
  more: (at: () => { readonly anvil: Anvil; readonly world: World }) => void = () => {},
): void {
  let anvil: Anvil;
  let world: World;

  beforeAll(async () => {
    anvil = await startAnvil();
    world = await deploy(anvil);
  });
  afterAll(() => anvil?.stop());

  test("quotes are the pools' own to the wei, whatever fee they work out", async ({ annotate }) => {
    const seen = await concentratedExactness(anvil, { ...world, source: quotedSource() }, { protocol, rounds, seed });
    await annotate(JSON.stringify(seen));
    expectCovered(seen, world, rounds, least);
  });

  test("following the logs and asking for fees leads to what the pools hold and charge", async () => {
    const random = createRandom(seed);
    const pool = await filledPool(anvil, world);
    const fees = new Set<string>();
    const start = await anvil.mine();
    let acts = 0;
    const act = async () => {
      if (acts++ % 2 === 0) await world.configure(pool.address, random);
      for (let count = random.int(0, 4); count > 0; count--) {
        const kind = random.int(0, 9);
        const lower = random.int(-40, 30) * 60;
        if (kind < 3) await world.mint(pool, lower, lower + random.int(1, 60) * 60, random.ofBits(80));
        else if (kind < 4) await world.burn(pool.address, -600, 600, random.ofBits(70));
        else await world.swapExactIn(pool, random.chance(0.5), random.ofBits(82));
      }
      await world.wait(random.pick([1, 5, 300, 40_000]));
      return anvil.mine();
    };
    const source: typeof world.source = {
      ...world.source,
      created: (log) => {
        const found = world.source.created?.(log);
        return found?.id === pool.id ? found : undefined;
      },
      async refresh(...args) {
        const pools = (await world.source.refresh?.(...args)) ?? [];
        for (const { state } of pools) fees.add(feesOf(state as ConcentratedState));
        return pools;
      },
    };
    const { refs, applied } = await sourceContract({
      ...{ source, reader: anvil.reader, start, blocks, act },
      logsOf: anvil.logsOf,
    });
    expect(refs).toEqual([pool]);
    expect(fees.size).toBeGreaterThan(blocks / 5);
    expect([...applied.values()].filter((count) => count > 0).length).toBeGreaterThanOrEqual(4);
  });

  more(() => ({ anvil, world }));

  function quotedSource(): LiquiditySource {
    if (steppedBy === undefined) return world.source;
    const sync: LiquiditySource["sync"] = async (...args) => {
      const pools = await world.source.sync(...args);
      return pools.map((pool): Pool => {
        if (pool.curve !== "concentrated") return pool;
        return { ...pool, state: { ...pool.state, tickSpacing: steppedBy } };
      });
    };
    return { ...world.source, sync };
  }
}

/** The tests of Algebra's first versions, in a world of such pools and their quoter. */
export function testAlgebraV1(deploy: (anvil: Anvil) => Promise<AlgebraV1World>, run: Omit<Run, "protocol">): void {
  testAdaptiveFees(deploy, { ...run, protocol: "algebra-v1" }, (at) => {
    test("a pool without a price or liquidity is known, and one whose fee nobody tells is left out", async () => {
      const { anvil, world } = at();
      const { source } = world;
      const bare = await world.create(await deployTokens(anvil, world.spenders), 0, 0n);
      const filled = await filledPool(anvil, world);
      const block = await anvil.mine();
      const pools = await source.sync(anvil.reader, [bare, filled], block);
      expect(pools.map(({ id }) => id)).toEqual([bare.id, filled.id]);
      const deaf: typeof anvil.reader = {
        ...anvil.reader,
        calls: async (calls, at) => {
          const answers = await anvil.reader.calls(calls, at);
          return answers.map((answer, index) => (calls[index]?.to === world.quoter ? undefined : answer));
        },
      };
      const known = async (read: Promise<readonly Pool[]> | undefined) => (await read)?.map(({ id }) => id);
      expect(await known(source.sync(deaf, [bare, filled], block))).toEqual([bare.id]);
      expect(await known(source.refresh?.(deaf, pools, block))).toEqual([bare.id]);
    });
  });
}

async function filledPool(anvil: Anvil, world: AdaptiveWorld): Promise<PoolRef> {
  const pool = await world.create(await deployTokens(anvil, world.spenders), 0, sqrtRatioAtTick(60) + 99n);
  await world.mint(pool, -600, 600, 10n ** 24n);
  return pool;
}

function feesOf({ feePpm, feeOfToken1Ppm = feePpm }: ConcentratedState): string {
  return `${feePpm} ${feeOfToken1Ppm}`;
}
