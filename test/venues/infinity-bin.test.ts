import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { ZERO_ADDRESS } from "../../src/domain/address.ts";
import type { PoolRef } from "../../src/market/liquidity-source.ts";
import type { Pool } from "../../src/pools/pool.ts";
import { DYNAMIC_FEE } from "../../src/venues/uniswap-v4/pool-key.ts";
import { sourceContract } from "../market/liquidity-source.suite.ts";
import { type Anvil, startAnvil } from "./worlds/anvil.ts";
import { MIDDLE_BIN, randomDeposits } from "./worlds/bins.ts";
import { FEE_HOOKS } from "./worlds/singletons/infinity.ts";
import { deployInfinityBins, type InfinityBinsWorld, PLAIN } from "./worlds/singletons/infinity-bins.ts";
import { createRandom } from "./worlds/traffic/random.ts";
import { deployTokens } from "./worlds/v3.ts";

const LONG = process.env.TRIBUTARY_LONG === "1";
const BLOCKS = LONG ? 400 : 40;

vi.setConfig({ testTimeout: LONG ? 3_600_000 : 180_000 });

let anvil: Anvil;
let world: InfinityBinsWorld;

beforeAll(async () => {
  anvil = await startAnvil();
  world = await deployInfinityBins(anvil);
});
afterAll(() => anvil?.stop());

test("following the logs leads to bins and fees that the pools hold, or asks to read them again", async () => {
  const random = createRandom(83);
  const [a, b] = await deployTokens(anvil, world.spenders);
  const busy: PoolRef[] = [];
  for (const [currencies, fee, hooks, binStep] of [
    [[a, b], 2_500, ZERO_ADDRESS, 10],
    [[a, b], DYNAMIC_FEE, FEE_HOOKS, 25],
    [[ZERO_ADDRESS, a], 100, ZERO_ADDRESS, 1],
  ] as const) {
    const pool = await world.initialize(currencies, { ...PLAIN, fee, hooks, binStep }, MIDDLE_BIN + 3);
    await world.mint(pool, depositsFor(pool, MIDDLE_BIN + 3));
    busy.push(pool);
  }
  const start = await anvil.mine();
  const { source } = world;
  const resyncs = new Map<string, number>();
  let newest = start;
  const read = async (ref: PoolRef) => (await source.sync(anvil.reader, [ref], newest))[0] as Pool;
  // A pool whose log does not tell its bins is read again, as the service does.
  const held = new Map<string, Pool>();
  /** Block that a pool was read again at: the rest of its logs is in what was read. */
  const readAt = new Map<string, string>();
  const followed: typeof source = {
    ...source,
    apply(pool, log, time) {
      const after = readAt.get(pool.id) === log.blockHash ? "resync" : source.apply(pool, log, time);
      if (after !== "resync" || log.data === "0x" || /^0xf+$/.test(log.data)) return after;
      if (readAt.get(pool.id) !== log.blockHash) {
        resyncs.set(log.topics[0] ?? "", (resyncs.get(log.topics[0] ?? "") ?? 0) + 1);
      }
      readAt.set(pool.id, log.blockHash);
      return held.get(pool.id) as Pool;
    },
  };
  const act = async () => {
    const pool = busy[random.int(0, busy.length - 1)] as PoolRef;
    const state = stateOf(await read(pool));
    const [x, y] = [total(state.bins, "reserveX"), total(state.bins, "reserveY")];
    const kind = random.int(0, 11);
    if (kind < 2) await world.mint(pool, depositsFor(pool, state.activeId));
    else if (kind < 4) {
      const bins = state.bins.filter(() => random.chance(0.3)).map(({ id }) => id);
      const part = random.chance(0.3) ? 10n ** 18n : BigInt(random.int(1, 9)) * 10n ** 17n;
      if (bins.length > 0)
        await world.burn(
          pool,
          bins.map((id) => ({ id, part })),
        );
    } else if (kind < 5) await world.donate(pool, random.between(1n, 10n ** 6n), random.between(1n, 10n ** 6n));
    else if (kind < 6) await world.setProtocolFees(pool, random.int(0, 4_000), random.int(0, 4_000));
    else if (kind < 7) await world.setFee(busy[1] as PoolRef, random.int(0, 100_000));
    else {
      const xForY = random.chance(0.5);
      const most = (xForY ? y : x) / 3n;
      if (most > 0n) await world.swap(pool, xForY, (random.chance(0.5) ? 1n : -1n) * random.between(1n, most));
    }
    newest = await anvil.mine();
    for (const ref of busy) held.set(ref.id, await read(ref));
    return newest;
  };
  const { refs, applied } = await sourceContract({
    ...{ source: followed, reader: anvil.reader, start, blocks: BLOCKS, act, logsOf: anvil.logsOf },
  });
  expect(refs.map(({ id }) => id).sort()).toEqual(busy.map(({ id }) => id).sort());
  const [mints, burns, swaps, donations, protocolFees, fees] = source.stateTopics.map((topic) => {
    return [applied.get(topic) ?? 0, resyncs.get(topic) ?? 0] as const;
  });
  for (const each of [mints, burns, donations, protocolFees, fees]) expect(each?.[0]).toBeGreaterThan(0);
  expect(swaps?.[0]).toBeGreaterThan(BLOCKS / 5);
  // Most swaps tell their bins.
  expect(swaps?.[1]).toBeLessThan((swaps?.[0] ?? 0) / 2);
  expect([donations?.[1], protocolFees?.[1], fees?.[1]]).toEqual([0, 0, 0]);

  function depositsFor(pool: PoolRef, activeId: number) {
    const pair = { address: pool.address, tokens: pool.tokens as [never, never], binStep: Number(pool.terms.binStep) };
    return randomDeposits(random, pair, activeId);
  }
});

test("pools whose hooks are called in a swap are left out and counted; a reference must be the key's own", async () => {
  const { source, manager } = world;
  const tokens = await deployTokens(anvil, world.spenders);
  const at = await anvil.mine();
  for (const bit of [0, 2, 5, 6, 7, 8, 9, 10, 11, 12, 13]) {
    const changesSwaps = [6, 7, 10, 11].includes(bit);
    const terms = { fee: 3_000, binStep: 10, hooks: FEE_HOOKS, registration: 1 << bit };
    const pool = await world.initialize(tokens, terms, MIDDLE_BIN);
    const logs = await anvil.reader.logs({
      ...{ addresses: [manager], topics: source.creation?.topics ?? [] },
      ...{ fromBlock: at.number, to: await anvil.head() },
    });
    const log = logs.find(({ topics }) => topics[1] === pool.id);
    if (log === undefined) throw new Error("nothing was announced");
    expect(source.created?.(log)?.id, String(bit)).toBe(changesSwaps ? undefined : pool.id);
    expect(source.refused?.(log), String(bit)).toBe(changesSwaps ? "UNKNOWN_HOOKS" : undefined);
    expect(await source.sync(anvil.reader, [pool], await anvil.head())).toHaveLength(changesSwaps ? 0 : 1);
  }
  const pool = await world.initialize(tokens, { ...PLAIN, fee: 500, binStep: 10 }, MIDDLE_BIN);
  const head = await anvil.head();
  expect(await source.sync(anvil.reader, [pool], head)).toHaveLength(1);
  for (const wrong of [
    { ...pool, terms: { ...pool.terms, fee: "501" } },
    { ...pool, terms: { ...pool.terms, binStep: "11" } },
    { ...pool, tokens: pool.tokens.toReversed() },
    { ...pool, address: tokens[0] },
  ]) {
    expect(await source.sync(anvil.reader, [wrong], head)).toEqual([]);
  }
});

test("who sets a pool's fee is its controller, and no pool is served while the manager is paused", async () => {
  const { source } = world;
  const tokens = await deployTokens(anvil, world.spenders);
  const terms = { fee: DYNAMIC_FEE, binStep: 10, hooks: FEE_HOOKS, registration: 0 };
  const ref = await world.initialize(tokens, terms, MIDDLE_BIN);
  const readNow = async () => {
    const reasons: string[] = [];
    const pools = await source.sync(anvil.reader, [ref], await anvil.mine(), (_, reason) => reasons.push(reason));
    return { pools, reasons };
  };
  const { pools } = await readNow();
  expect(pools[0]?.controllers).toEqual([FEE_HOOKS]);
  await world.setFee(ref, 100_001);
  expect(await readNow()).toEqual({ pools: [], reasons: ["NOT_READABLE"] });
  await world.setFee(ref, 700);
  await world.manage("pause");
  expect(await readNow()).toEqual({ pools: [], reasons: ["PAUSED"] });
  await world.manage("unpause");
  expect((await readNow()).pools).toHaveLength(1);
});

function stateOf(pool: Pool) {
  if (pool.curve !== "bins") throw new Error("no pool of bins");
  return pool.state;
}

function total(
  bins: readonly { readonly reserveX: bigint; readonly reserveY: bigint }[],
  side: "reserveX" | "reserveY",
) {
  return bins.reduce((sum, bin) => sum + bin[side], 0n);
}
