import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { toAddress, ZERO_ADDRESS } from "../../../src/domain/address.ts";
import { sqrtRatioAtTick } from "../../../src/math/tick-math.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { uniswapV4HooksRecord } from "../../../src/venues/uniswap-v4-hooks/record.ts";
import { uniswapV4Hooks } from "../../../src/venues/uniswap-v4-hooks/source.ts";
import { sourceContract } from "../../market/liquidity-source.suite.ts";
import { type Anvil, startAnvil } from "../worlds/anvil.ts";
import { deployV4Hooks, HOOKS, MODELS, type V4HooksWorld } from "../worlds/singletons/v4-hooks.ts";
import { type Busy, createPositionTraffic } from "../worlds/traffic/position-traffic.ts";
import { createRandom } from "../worlds/traffic/random.ts";
import { deployTokens } from "../worlds/v3.ts";

const BLOCKS = process.env.TRIBUTARY_LONG === "1" ? 400 : 30;

vi.setConfig({ testTimeout: process.env.TRIBUTARY_LONG === "1" ? 3_600_000 : 180_000 });

let anvil: Anvil;
let world: V4HooksWorld;

beforeAll(async () => {
  anvil = await startAnvil();
  world = await deployV4Hooks(anvil);
});
afterAll(() => anvil?.stop());

test("following the logs, and what hooks answer at each block, leads to the state that the pools hold", async () => {
  const random = createRandom(81);
  const [a, b] = await deployTokens(anvil, world.spenders);
  const busy: Busy[] = [];
  for (const [index, model] of MODELS.entries()) {
    const currencies = index % 2 === 0 ? ([a, b] as const) : ([ZERO_ADDRESS, a] as const);
    const pool = await world.hooked(model, currencies, sqrtRatioAtTick(60 * 7) + 777n);
    await world.setTerms(model, pool, 100, 200);
    busy.push({ pool, spacing: 60, middle: 7 });
  }
  const start = await anvil.mine();
  const burn: typeof world.mint = (pool, lower, upper, liquidity) => world.modify(pool, lower, upper, -liquidity);
  const moving = MODELS.entries().filter(([, model]) => model !== "otherFee");
  const happen = createPositionTraffic(random, busy, { ...world, burn }, [
    (pool) => world.setProtocolFees(pool, random.int(0, 1_000), random.int(0, 1_000)),
    ...moving.map(([index, model]) => {
      const { pool } = busy[index] as Busy;
      return () => world.setTerms(model, pool, random.int(0, 2_000), random.int(0, 2_000));
    }),
  ]);
  const { source } = world;
  const { refs, applied } = await sourceContract({
    ...{ source, reader: anvil.reader, start, blocks: BLOCKS, logsOf: anvil.logsOf },
    act: () => happen().then(() => anvil.mine()),
  });
  expect(refs.map(({ id }) => id).sort()).toEqual(busy.map(({ pool: { id } }) => id).sort());
  const [positionsChanged, swaps] = source.stateTopics.map((topic) => applied.get(topic) ?? 0);
  expect(positionsChanged).toBeGreaterThan(BLOCKS / 4);
  expect(swaps).toBeGreaterThan(BLOCKS / 8);
});

test("fees that are frozen are read once; others have a controller, and are read again for every block", async () => {
  const { source } = world;
  const tokens = await deployTokens(anvil, world.spenders);
  const price = sqrtRatioAtTick(0);
  const frozen = await world.hooked("otherFee", tokens, price);
  await world.setTerms("otherFee", frozen, 0, 100);
  const taxed = await world.hooked("currency1Fee", tokens, price);
  await world.setTerms("currency1Fee", taxed, 100, 300);
  const before = await source.sync(anvil.reader, [frozen, taxed], await anvil.mine());
  expect(before.map(hookOf)).toEqual([
    { charges: "unspecified", token0InPpm: [0, 10_000], token1InPpm: [0, 10_000], gas: HOOKS.otherFee.gas },
    { charges: "token1", token0InPpm: [10_000], token1InPpm: [30_000], gas: HOOKS.currency1Fee.gas },
  ]);
  expect(before.map(({ controllers }) => controllers)).toEqual([undefined, [HOOKS.currency1Fee.address]]);
  expect(before.map((pool) => source.movesSilently?.(pool))).toEqual([false, true]);
  await world.setTerms("currency1Fee", taxed, 200, 10_000);
  const taken = (await source.refresh?.(anvil.reader, before.slice(1), await anvil.mine())) ?? [];
  // Hooks that take all of a sale of token 1 leave nothing that anybody could trade.
  expect(taken).toEqual([]);
  await world.setTerms("currency1Fee", taxed, 200, 300);
  const [after] = (await source.refresh?.(anvil.reader, before.slice(1), await anvil.mine())) ?? [];
  expect(after && hookOf(after)).toMatchObject({ token0InPpm: [20_000], token1InPpm: [30_000] });
  const again = (await source.refresh?.(anvil.reader, [after!], await anvil.mine())) ?? [];
  expect(again[0]).toBe(after);
  const asked = vi.fn(anvil.reader.calls);
  const silent = { ...anvil.reader, calls: asked };
  expect(await source.refresh?.(silent, before.slice(0, 1), await anvil.mine())).toEqual(before.slice(0, 1));
  expect(asked.mock.calls.flatMap(([calls]) => calls)).toEqual([]);
});

test("pools of other hooks, and those whose key lets hooks set a fee that the model has not, are none of ours", async () => {
  const { source, record } = world;
  const tokens = await deployTokens(anvil, world.spenders);
  const at = await anvil.mine();
  const price = sqrtRatioAtTick(0);
  const known = await world.hooked("observer", tokens, price);
  const dynamic = await world.initialize(tokens, 0x800000, 60, HOOKS.observer.address, price);
  const stranger = await world.initialize(tokens, 3000, 60, toAddress(`0x${"0".repeat(32)}fee700c0`), price);
  const plain = await world.initialize(tokens, 3000, 60, ZERO_ADDRESS, price);
  const logs = await anvil.reader.logs({
    ...{ addresses: [record.factory], topics: source.creation?.topics ?? [] },
    ...{ fromBlock: at.number, to: await anvil.head() },
  });
  expect(logs.map((log) => source.created?.(log)?.id)).toEqual([known.id, undefined, undefined, undefined]);
  expect(logs.map((log) => source.refused?.(log))).toEqual([undefined, "UNKNOWN_HOOKS", undefined, undefined]);
  expect(await source.sync(anvil.reader, [dynamic, stranger, plain], await anvil.head())).toEqual([]);
  expect([known, dynamic, plain].map((ref) => source.isSound?.(ref))).toEqual([true, false, false]);
});

describe("a record of hooks", () => {
  const fault = (...hooks: readonly object[]) => {
    const parsed = uniswapV4HooksRecord.safeParse({ ...world.record, fromBlock: 0, hooks });
    return parsed.success ? undefined : parsed.error.issues.map(({ message }) => message).join("; ");
  };

  test("has what its address permits, and code by its hash", () => {
    for (const model of MODELS) expect(fault(HOOKS[model])).toBeUndefined();
    const { codeHash: _, ...unnamed } = HOOKS.observer;
    expect(fault(unnamed)).toBeDefined();
    expect(fault({ ...HOOKS.observer, codeHash: "0x12" })).toContain("64 hex digits");
    expect(fault({ ...HOOKS.otherFee, address: HOOKS.observer.address })).toContain(
      "permissions do not go with the model",
    );
    expect(fault({ ...HOOKS.observer, address: HOOKS.otherFee.address })).toContain("it is no observer");
    expect(fault({ ...HOOKS.otherFee, fee: { ...HOOKS.otherFee, call: "x(address)" } })).toBeDefined();
    const nowhere = toAddress(`0x${"ab".repeat(18)}0001`);
    expect(fault({ ...HOOKS.observer, address: nowhere })).toContain("take the entry out");
  });

  test("has fees of a form that its model takes, one entry for an address", () => {
    const { otherFee, liquidityFee } = HOOKS;
    const withFee = (hook: object, fee: unknown) => fault({ ...hook, fee });
    const read = { call: "fees(bytes32)", words: [1], whole: 10_000 };
    for (const wrong of [3_000, undefined, { ...read, whole: 1_000 }, { ...read, frozen: false }, { call: "fees()" }])
      expect(withFee(otherFee, wrong)).toContain('must be {"ppm": [3000]}, or {"call"');
    for (const wrong of [{ ppm: [600_000, 400_000] }, { ppm: [1], ppmOfCurrency1: [999_999, 1] }])
      expect(withFee(otherFee, wrong)).toContain("together must be below 1000000");
    for (const wrong of [{ ppm: [500, 3_000] }, { ppm: [1], ppmOfCurrency1: [] }, { ...read, words: [1, 2] }])
      expect(withFee(liquidityFee, wrong)).toContain("one part for each direction");
    expect(withFee(liquidityFee, { ppm: [500], ppmOfCurrency1: [3_000] })).toBeUndefined();
    expect(fault(otherFee, { ...otherFee, gas: 1 })).toContain("each address once");
  });

  test("takes fees that never change as figures", async () => {
    const { otherFee } = HOOKS;
    const hooks = [{ ...otherFee, fee: { ppm: [10_000, 333], ppmOfCurrency1: [] } }];
    const source = uniswapV4Hooks({ ...world.record, hooks } as typeof world.record);
    const tokens = await deployTokens(anvil, world.spenders);
    const pool = await world.hooked("otherFee", tokens, sqrtRatioAtTick(0));
    const [read] = await source.sync(anvil.reader, [pool], await anvil.head());
    expect(read && hookOf(read)).toMatchObject({ token0InPpm: [10_000, 333], token1InPpm: [] });
    expect(read?.controllers).toBeUndefined();
  });
});

function hookOf(pool: Pool): unknown {
  return pool.curve === "concentrated" ? pool.state.hook : undefined;
}
