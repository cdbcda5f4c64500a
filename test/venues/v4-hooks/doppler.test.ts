import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ZERO_ADDRESS } from "../../../src/domain/address.ts";
import { SHARE_ONE } from "../../../src/domain/route.ts";
import { sqrtRatioAtTick } from "../../../src/math/tick-math.ts";
import { agesBetween, movesWithTime } from "../../../src/pools/moves-with-time.ts";
import { mathOf, type Pool } from "../../../src/pools/pool.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { evaluatePlan } from "../../../src/routing/plan/execution.ts";
import { DYNAMIC_FEE } from "../../../src/venues/uniswap-v4/pool-key.ts";
import { uniswapV4HooksRecord } from "../../../src/venues/uniswap-v4-hooks/record.ts";
import { sourceContract } from "../../market/liquidity-source.suite.ts";
import { concentratedExactness, expectCovered } from "../../support/suites/concentrated-exactness.ts";
import { type Anvil, startAnvil } from "../worlds/anvil.ts";
import {
  deployV4Doppler,
  GAS,
  GRADUATED,
  HOOKS_AT,
  NOBODY,
  PASSED_GAS,
  type V4DopplerWorld,
} from "../worlds/singletons/v4-doppler.ts";
import { type Busy, createPositionTraffic } from "../worlds/traffic/position-traffic.ts";
import { createRandom } from "../worlds/traffic/random.ts";
import { deployTokens } from "../worlds/v3.ts";

const LONG = process.env.TRIBUTARY_LONG === "1";
const BLOCKS = LONG ? 400 : 30;
const ROUNDS = LONG ? 80 : 2;
const SOMEBODY = HOOKS_AT;

vi.setConfig({ testTimeout: LONG ? 7_200_000 : 180_000 });

let anvil: Anvil;
let world: V4DopplerWorld;

beforeAll(async () => {
  anvil = await startAnvil();
  world = await deployV4Doppler(anvil);
});
afterAll(() => anvil?.stop());

const price = sqrtRatioAtTick(60 * 7) + 777n;

async function launch(fee: number, terms: Parameters<V4DopplerWorld["launched"]>[3]) {
  return world.launched(await deployTokens(anvil, world.spenders), price, fee, terms);
}

async function now(): Promise<number> {
  return Number((await anvil.head()).timestamp);
}

async function readAll(pools: readonly Parameters<V4DopplerWorld["pass"]>[0][]) {
  const unserved = new Map<string, string>();
  const report = (id: string, reason: string) => unserved.set(id, reason);
  const read = await world.source.sync(anvil.reader, pools, await anvil.mine(), report);
  return { read, reasons: pools.map(({ id }) => unserved.get(id)) };
}

function hookOf(pool: Pool | undefined) {
  return pool?.curve === "concentrated" ? pool.state.hook : undefined;
}

test("V4Quoter's to the wei, both ways and kinds, with fees that fall and trades after the swap", async ({
  annotate,
}) => {
  const seen = await concentratedExactness(anvil, world, { protocol: "uniswap-v4-hooks", rounds: ROUNDS, seed: 711 });
  await annotate(JSON.stringify(seen));
  expectCovered(seen, world, ROUNDS, { twoTicks: 0.1, gap: -1 });
});

test("following the logs, and what the hooks answer at each block, leads to the state that the pools hold", async () => {
  const random = createRandom(82);
  const own = await deployV4Doppler(anvil);
  const [first, second, stranger] = own.passed;
  const open = { timelock: SOMEBODY };
  const terms = [
    { passesTo: ZERO_ADDRESS },
    { passesTo: first },
    { passesTo: second },
    { passesTo: first, ...open },
  ] as const;
  const busy: Busy[] = [];
  for (const [index, each] of terms.entries()) {
    // An asset has one pool.
    const [a, b] = await deployTokens(anvil, own.spenders);
    const currencies = index % 2 === 0 ? ([a, b] as const) : ([ZERO_ADDRESS, b] as const);
    const pool = await own.launched(currencies, price, index === 0 ? 500 : index === 1 ? 3_000 : DYNAMIC_FEE, each);
    for (const at of [first, second]) await own.schedule(pool, at, [await now(), 300_000, 100 * index, 40]);
    busy.push({ pool, spacing: 60, middle: 7 });
  }
  const last = busy[3]!.pool;
  const burn: typeof own.mint = (pool, lower, upper, liquidity) => own.modify(pool, lower, upper, -liquidity);
  const happen = createPositionTraffic(random, busy, { ...own, burn }, [
    (pool) => own.setProtocolFees(pool, random.int(0, 1_000), random.int(0, 1_000)),
    () => own.pass(last, { passesTo: random.pick([first, second, ZERO_ADDRESS, stranger]), ...open }),
    () => own.setLiquidityFee(last, random.int(0, 100_000)),
    () => own.enable(random.pick([first, second]), random.chance(0.5)),
    () => anvil.rpc("evm_increaseTime", [random.int(1, 9)]),
  ]);
  const start = await anvil.mine();
  const { refs, applied } = await sourceContract({
    ...{ source: own.source, reader: anvil.reader, start, blocks: BLOCKS, logsOf: anvil.logsOf },
    act: () => happen().then(() => anvil.mine()),
  });
  expect(refs.map(({ id }) => id).sort()).toEqual(busy.map(({ pool: { id } }) => id).sort());
  const [positionsChanged, swaps] = own.source.stateTopics.map((topic) => applied.get(topic) ?? 0);
  expect(positionsChanged).toBeGreaterThan(BLOCKS / 4);
  expect(swaps).toBeGreaterThan(BLOCKS / 8);
});

test("a pool that passes swaps to none, or to a contract of the record, is served; others are left out with a reason", async () => {
  const [first, second, stranger] = world.passed;
  const pools = [
    await launch(3_000, { passesTo: ZERO_ADDRESS }),
    await launch(3_000, { passesTo: first }),
    await launch(DYNAMIC_FEE, { passesTo: second }),
    await launch(3_000, { passesTo: stranger }),
    await launch(3_000, { passesTo: second }),
    await launch(3_000, { passesTo: first }),
    await world.initialize(await deployTokens(anvil, world.spenders), 100, 60, HOOKS_AT, price),
  ];
  const time = await now();
  await world.schedule(pools[1]!, first, [time - 100, 800_000, 11_201, 10]);
  await world.schedule(pools[2]!, second, [time + 1_000, 400_000, 0, 1_000]);
  await world.schedule(pools[4]!, second, [time, 30, 30, 0]);
  await world.addLiquidity(pools[4]!, second);
  // It takes all, for ever.
  await world.schedule(pools[5]!, first, [time, 800_000, 800_000, 10]);
  const { read, reasons } = await readAll(pools);
  const readable = [undefined, undefined, undefined];
  expect(reasons).toEqual([...readable, "UNKNOWN_HOOKS", "UNKNOWN_HOOKS", "NOT_READABLE", "NOT_READABLE"]);
  const none = { charges: "unspecified", token0InPpm: [], token1InPpm: [] };
  const passed = {
    ...none,
    gas: GAS.gas + PASSED_GAS.gas + PASSED_GAS.tradeGas,
    mostGas: GAS.mostGas + PASSED_GAS.mostGas + 2 * PASSED_GAS.mostTradeGas,
  };
  const fallen = { whole: 800_000, startFee: 11_201, endFee: 11_201, startTime: 0, seconds: 0 };
  const falling = { whole: 1_000_000, startFee: 400_000, endFee: 0, startTime: time + 1_000, seconds: 1_000 };
  expect(read.map(hookOf)).toEqual([
    { ...none, ...GAS },
    { ...passed, passesTo: first, falling: fallen },
    { ...passed, passesTo: second, falling },
  ]);
  expect(read.map((pool) => pool.controllers)).toEqual([undefined, undefined, undefined]);
  expect(read.map((pool) => world.source.movesSilently?.(pool))).toEqual([false, true, true]);
  expect(read.map(movesWithTime)).toEqual([false, false, true]);
  expect(agesBetween(read[2]!, 1n, 2n)).toBe(true);
  expect(world.source.code).toHaveLength(3);
});

test("an account that may give a pool another contract is its controller, unless the pool is past that", async () => {
  const [first] = world.passed;
  const pools = [
    await launch(3_000, { passesTo: first }),
    await launch(3_000, { passesTo: first, timelock: SOMEBODY }),
    await launch(3_000, { passesTo: ZERO_ADDRESS, timelock: SOMEBODY }),
    await launch(3_000, { passesTo: first, timelock: SOMEBODY, status: GRADUATED }),
    await launch(3_000, { passesTo: first, timelock: NOBODY }),
  ];
  for (const pool of pools) await world.schedule(pool, first, [0, 100, 100, 0]);
  const { read } = await readAll(pools);
  const open = [HOOKS_AT];
  expect(read.map(({ controllers }) => controllers)).toEqual([undefined, open, open, undefined, undefined]);
});

test("a falling fee is that of the time that is asked about, and a pool is used once in a route", async () => {
  const [, second] = world.passed;
  const ref = await launch(DYNAMIC_FEE, { passesTo: second });
  const time = BigInt(await now());
  await world.schedule(ref, second, [Number(time) + 100, 400_000, 0, 100]);
  await world.mint(ref, -6_000, 6_000, 10n ** 24n);
  const { read } = await readAll([ref]);
  const pool = read[0]!;
  const math = mathOf(pool);
  const [sellToken, buyToken] = pool.tokens as [(typeof pool.tokens)[0], (typeof pool.tokens)[0]];
  const paidAt = (at: bigint) => {
    const quote = math.quoteExactIn(pool.state, { sell: 0, buy: 1 }, 10n ** 20n, at);
    return isRejection(quote) ? 0n : quote.amount;
  };
  const [before, half, after] = [paidAt(time), paidAt(time + 150n), paidAt(time + 200n)];
  expect(before).toBe(after - (after * 400_000n) / 1_000_000n);
  expect(half).toBe(after - (after * 200_000n) / 1_000_000n);
  const curve = math.curve(pool.state, { sell: 0, buy: 1 }, time + 150n);
  expect(Math.abs((curve?.buyAmountFor(1e20) ?? 0) / Number(half) - 1)).toBeLessThan(1e-9);
  const order = { kind: "exactIn", sellToken, buyToken, sellAmount: 10n ** 20n } as const;
  const once = { pool, direction: { sell: 0, buy: 1 }, share: SHARE_ONE };
  expect(evaluatePlan([once], order, time)).toMatchObject({ buyAmount: before });
  const twice = evaluatePlan([{ ...once, share: SHARE_ONE / 2n }, once], order, time);
  expect(twice).toMatchObject({ broken: [{ use: { pool }, why: { rejected: "UNSUPPORTED" } }] });
});

describe("a record of Doppler's hooks", () => {
  const fault = (changes: object, ofPassed: object = {}) => {
    const [hook] = world.record.hooks;
    if (hook?.model !== "doppler") throw new Error("unreachable");
    const passesTo = hook.passesTo.map((each) => ({ ...each, ...ofPassed }));
    const parsed = uniswapV4HooksRecord.safeParse({
      ...{ ...world.record, fromBlock: 0 },
      hooks: [{ ...hook, passesTo, ...changes }],
    });
    return parsed.success ? undefined : parsed.error.issues.map(({ message }) => message).join("; ");
  };

  test("has what its address permits, and bounds of gas", () => {
    expect(fault({})).toBeUndefined();
    expect(fault({ passesTo: [] })).toBeUndefined();
    expect(fault({ address: `0x${"ab".repeat(18)}0040` })).toContain("permissions do not go with the model");
    expect(fault({ mostGas: 1 })).toContain("no less than gas");
    expect(fault({}, { mostGas: 1 })).toContain("no less than gas");
    expect(fault({}, { mostTradeGas: 1 })).toContain("no less than tradeGas");
    expect(fault({}, { whole: 10_000 })).toBeDefined();
  });
});
