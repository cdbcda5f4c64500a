import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Hex, toAddress } from "../../src/domain/address.ts";
import type { UnservedReason } from "../../src/market/eligibility.ts";
import type { LiquiditySource, PoolRef } from "../../src/market/liquidity-source.ts";
import { sqrtRatioAtTick } from "../../src/math/tick-math.ts";
import { uintAt, wordOf } from "../../src/venues/reading/words.ts";
import { testAdaptiveFees } from "../support/suites/algebra-v1.ts";
import { deployPlugged, type PluginWorld } from "./worlds/algebra/plugins.ts";
import { type Anvil, startAnvil } from "./worlds/anvil.ts";
import { deployTokens } from "./worlds/v3.ts";

const LONG = process.env.TRIBUTARY_LONG === "1";
const STRANGER = toAddress(`0x${"ab".repeat(20)}`);
/** Calls of a plugin: before a swap, for a fee that it sets. */
const ASKED = 0x81;

vi.setConfig({ testTimeout: LONG ? 3_600_000 : 180_000 });

describe("pools whose plugin sets their fee", () => {
  testAdaptiveFees(deployPlugged, {
    ...{ protocol: "algebra", seed: 331, rounds: LONG ? 130 : 3, blocks: LONG ? 400 : 20 },
    least: { twoTicks: 0.15, gap: 0.005 },
  });
});

describe("a custom pool", () => {
  let anvil: Anvil;
  let world: PluginWorld;
  let ref: PoolRef;

  beforeAll(async () => {
    anvil = await startAnvil();
    world = await deployPlugged(anvil);
    ref = await world.create(await deployTokens(anvil, world.spenders), 0, sqrtRatioAtTick(0));
    await world.mint(ref, -600, 600, 10n ** 20n);
    await anvil.mine();
  });
  afterAll(() => anvil?.stop());

  /** Why the pool is not served at the newest block; undefined where it is. */
  async function reasonNow(): Promise<UnservedReason | undefined> {
    const reasons = new Map<string, UnservedReason>();
    const pools = await world.source.sync(anvil.reader, [ref], await anvil.mine(), (id, why) => reasons.set(id, why));
    expect(pools.length + reasons.size).toBe(1);
    return reasons.get(ref.id);
  }

  test("is read where its deployer is known, and left out where it is not", async () => {
    const { source, deployer, sourceOf } = world;
    const logs = await anvil.reader.logs({ ...creationOf(source), fromBlock: 0n, to: await anvil.head() });
    expect(logs.map((log) => source.created?.(log))).toEqual([ref, ref]);
    const at = await anvil.head();
    for (const [deployers, count] of [
      [[deployer], 1],
      [[STRANGER, deployer], 1],
      [[STRANGER], 0],
      [[], 0],
    ] as const) {
      expect(await sourceOf(deployers).sync(anvil.reader, [ref], at)).toHaveLength(count);
    }
  });

  test("with another plugin than its factory names is left out until it has that one again", async () => {
    const [pool] = await world.source.sync(anvil.reader, [ref], await anvil.head());
    if (pool === undefined) throw new Error("the pool cannot be read");
    const plugin = await world.pluginOf(ref.address);
    const applied = async () => {
      const block = await anvil.head();
      const logs = (await anvil.logsOf(block)).filter(({ topics }) =>
        world.source.stateTopics.includes(topics[0] ?? "0x"),
      );
      return logs.map((log) => world.source.apply(pool, log, block.timestamp) === "resync");
    };
    await world.ofPool(ref.address, "setPlugin", anvil.multicall);
    await world.ofPool(ref.address, "setPluginConfig", ASKED);
    expect(await reasonNow()).toBe("UNKNOWN_HOOKS");
    expect(await applied()).toContain(true);
    await world.ofPool(ref.address, "setPlugin", plugin);
    await world.ofPool(ref.address, "setPluginConfig", ASKED);
    expect(await reasonNow()).toBeUndefined();
    await world.ofPool(ref.address, "setPluginConfig", 0);
    expect(await reasonNow()).toBeUndefined();
    expect(await applied()).toEqual([true]);
    await world.ofPool(ref.address, "setPluginConfig", ASKED);
    expect(await reasonNow()).toBeUndefined();
    expect(await applied()).toEqual([false]);
  });

  test("is left out where the quoter says nothing, or what no fee brings", async () => {
    const { source, quoter } = world;
    const at = await anvil.mine();
    const telling = (told: (answer: Hex) => Hex | undefined): typeof anvil.reader => ({
      ...anvil.reader,
      calls: async (calls, block) => {
        const answers = await anvil.reader.calls(calls, block);
        return answers.map((answer, index) => (calls[index]?.to === quoter && answer ? told(answer) : answer));
      },
    });
    const pools = await source.sync(anvil.reader, [ref], at);
    expect(pools).toHaveLength(1);
    const twice = (answer: Hex): Hex => `0x${wordOf(2n * (uintAt(answer, 0) ?? 0n))}`;
    for (const reader of [telling(() => undefined), telling(twice)]) {
      expect(await source.sync(reader, [ref], at)).toEqual([]);
      expect(await source.refresh?.(reader, pools, at)).toEqual([]);
    }
    expect(await source.refresh?.(anvil.reader, pools, at)).toEqual(pools);
  });

  test("whose deployer names another factory of plugins is left out", async () => {
    await world.setPluginFactory(anvil.multicall);
    expect(await reasonNow()).toBe("UNKNOWN_HOOKS");
  });
});

function creationOf({ creation }: LiquiditySource) {
  if (creation === undefined) throw new Error("pools are not announced");
  return creation;
}
