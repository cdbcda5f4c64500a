import { toFunctionSelector, toHex } from "viem";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Log } from "../../src/market/chain-reader.ts";
import { binsMath } from "../../src/pools/bins/math.ts";
import type { BinsState } from "../../src/pools/bins/state.ts";
import { isRejection } from "../../src/pools/pool-math.ts";
import { STATE_TOPICS } from "../../src/venues/liquidity-book/events.ts";
import { liquidityBook } from "../../src/venues/liquidity-book/source.ts";
import { sourceContract } from "../market/liquidity-source.suite.ts";
import { type Anvil, startAnvil } from "./worlds/anvil.ts";
import {
  type BinPair,
  type BinsWorld,
  binPairAbi,
  deployBins,
  MIDDLE_BIN,
  PRESETS,
  randomDeposits,
} from "./worlds/bins.ts";
import { createRandom, type Random } from "./worlds/traffic/random.ts";

const BLOCKS = process.env.TRIBUTARY_LONG === "1" ? 1_000 : 30;

vi.setConfig({ testTimeout: process.env.TRIBUTARY_LONG === "1" ? 3_600_000 : 180_000 });

let anvil: Anvil;

beforeAll(async () => {
  anvil = await startAnvil();
});
afterAll(() => anvil?.stop());

const sourceOf = ({ factory }: BinsWorld) =>
  liquidityBook({ protocol: "liquidity-book", source: "LFJ", factory, fromBlock: 0n });

async function read(world: BinsWorld, { address, tokens, binStep }: BinPair): Promise<BinsState> {
  const ref = { id: address, address, tokens, terms: { binStep: String(binStep) } };
  const [pool] = await sourceOf(world).sync(anvil.reader, [ref], await anvil.head());
  if (pool?.curve !== "bins") throw new Error("the pair cannot be read");
  return pool.state;
}

/** Something that happens to pairs, in a transaction or two. */
async function happen(world: BinsWorld, pair: BinPair, random: Random): Promise<void> {
  const state = await read(world, pair);
  const { activeId, bins } = state;
  const kind = random.int(0, 9);
  if (kind <= 3) {
    const sell = random.int(0, 1);
    const time = (await anvil.head()).timestamp;
    const { maxSell } = binsMath.limits(state, { sell, buy: 1 - sell }, time);
    const amount = random.between(1n, maxSell / 2n + 1n);
    if (isRejection(binsMath.quoteExactIn(state, { sell, buy: 1 - sell }, amount, time))) return;
    await world.give(pair, sell, amount);
    await world.call(pair, "swap", [sell === 0, anvil.account]);
  } else if (kind === 4) {
    await world.deposit(pair, randomDeposits(random, pair, activeId));
  } else if (kind === 5) {
    // One token alone into the active bin pays a fee.
    await world.deposit(pair, [{ id: activeId, x: 0n, y: random.between(10n, 10n ** 20n) }]);
  } else if (kind === 6 && bins.length > 3) {
    const { id } = random.pick(bins);
    await world.call(pair, "withdraw", [anvil.account, [id], [random.pick([10n ** 18n, 5n * 10n ** 17n])]]);
  } else if (kind === 7) {
    await world.give(pair, random.int(0, 1), random.between(1n, 10n ** 18n));
    await world.call(pair, "takeLoanFee");
  } else if (kind === 8) {
    await world.manage("forceDecay", [pair.address]);
    await world.manage("setFeesParametersOnPair", [
      pair.address,
      { ...random.pick(Object.values(PRESETS)), protocolShare: 2_000 },
    ]);
  } else {
    const hooks = random.pick([0n, (1n << 161n) | 1n, (1n << 164n) | 1n]);
    await world.manage("setLBHooksParametersOnPair", [pair.address, toHex(hooks, { size: 32 })]);
  }
}

for (const hooked of [false, true]) {
  test(`following the logs of version 2.${hooked ? 2 : 1} leads to what the pairs say`, async () => {
    const random = createRandom(hooked ? 22 : 21);
    const world = await deployBins(anvil, hooked);
    const pairs = [
      await world.createPair(10, MIDDLE_BIN - 3_000, PRESETS[10]!),
      await world.createPair(25, MIDDLE_BIN + 5_000, PRESETS[25]!),
    ];
    const [first] = pairs as [BinPair];
    await world.deposit(first, randomDeposits(random, first, MIDDLE_BIN - 3_000));
    const start = await anvil.mine();
    const act = async () => {
      await anvil.rpc("evm_increaseTime", [random.pick([0, 1, 12, 40, 700])]);
      await happen(world, random.pick(pairs), random);
      return anvil.mine();
    };
    const { refs, applied } = await sourceContract({
      ...{ source: sourceOf(world), reader: anvil.reader, start, blocks: BLOCKS, act },
      logsOf: anvil.logsOf,
    });
    expect(refs.map(({ id }) => id).sort()).toEqual(pairs.map(({ address }) => address).sort());
    // Every kind of log but the first one's own is met.
    const met = STATE_TOPICS.filter((topic) => applied.has(topic)).length;
    expect(met).toBeGreaterThanOrEqual(STATE_TOPICS.length - 1);
  });
}

test("a pair is read past gaps, and in full where it has hundreds of bins", async () => {
  const world = await deployBins(anvil, true);
  const pair = await world.createPair(1, MIDDLE_BIN, PRESETS[1]!);
  const row = Array.from({ length: 300 }, (_, i) => ({ id: MIDDLE_BIN + 1 + i, x: 1_000n + BigInt(i), y: 0n }));
  const far = [-70_000, -300, -299, -16, -1].map((offset) => ({ id: MIDDLE_BIN + offset, x: 0n, y: 5n }));
  await world.deposit(pair, row);
  await world.deposit(pair, far);
  await anvil.mine();
  const { bins } = await read(world, pair);
  const held = [...far, ...row].map(({ id, x, y }) => ({ id, reserveX: x, reserveY: y }));
  expect(bins).toEqual(held);
});

test("a pair whose bins lie far apart is given up after a bounded number of rounds and calls, and others are read", async () => {
  const world = await deployBins(anvil, true);
  const far = await world.createPair(1, MIDDLE_BIN, PRESETS[1]!);
  const whole = await world.createPair(10, MIDDLE_BIN, PRESETS[10]!);
  await world.deposit(
    far,
    Array.from({ length: 100 }, (_, i) => ({ id: MIDDLE_BIN + 257 * i, x: 5n, y: i === 0 ? 5n : 0n })),
  );
  await world.deposit(whole, [{ id: MIDDLE_BIN, x: 5n, y: 5n }]);
  const at = await anvil.mine();
  const batches: number[] = [];
  const counting = {
    ...anvil.reader,
    calls: (...[calls, block]: Parameters<typeof anvil.reader.calls>) => {
      batches.push(calls.length);
      return anvil.reader.calls(calls, block);
    },
  };
  const told: string[] = [];
  const reportUnserved = (id: string, reason: string) => told.push(`${id} ${reason}`);
  const pools = await sourceOf(world).sync(counting, [refOf(far), refOf(whole)], at, reportUnserved);
  expect(pools.map(({ id }) => id)).toEqual([whole.address]);
  expect(told).toEqual([`${far.address} NOT_READABLE`]);
  expect(batches.length).toBeLessThan(70);
  expect(batches.reduce((sum, calls) => sum + calls, 0)).toBeLessThan(2_000);
});

test("movement that is always counted anew is read again: its logs do not tell from where", async () => {
  const world = await deployBins(anvil, true);
  const pair = await world.createPair(10, MIDDLE_BIN, { ...PRESETS[10]!, filterPeriod: 0 });
  await world.deposit(pair, [{ id: MIDDLE_BIN, x: 10n ** 18n, y: 10n ** 18n }]);
  await anvil.mine();
  const [pool] = await sourceOf(world).sync(anvil.reader, [refOf(pair)], await anvil.head());
  await world.give(pair, 0, 10n ** 9n);
  await world.call(pair, "swap", [true, anvil.account]);
  const block = await anvil.mine();
  const logs = (await anvil.logsOf(block)).filter(({ address }) => address === pair.address);
  expect(logs).toHaveLength(1);
  expect(sourceOf(world).apply(pool!, logs[0] as Log, block.timestamp)).toBe("resync");
});

test("a pair of another factory, and one that does not tell its bins, is not read and told", async () => {
  const [world, other] = [await deployBins(anvil, true), await deployBins(anvil, true)];
  const pair = await world.createPair(10, MIDDLE_BIN, PRESETS[10]!);
  await world.deposit(pair, [{ id: MIDDLE_BIN, x: 5n, y: 5n }]);
  const at = await anvil.mine();
  const told: string[] = [];
  const reportUnserved = (id: string, reason: string) => told.push(`${id} ${reason}`);
  expect(await sourceOf(other).sync(anvil.reader, [refOf(pair)], at, reportUnserved)).toEqual([]);
  const next = toFunctionSelector("getNextNonEmptyBin(bool,uint24)");
  const mute = {
    ...anvil.reader,
    calls: async (...[calls, block]: Parameters<typeof anvil.reader.calls>) =>
      (await anvil.reader.calls(calls, block)).map((answer, i) =>
        calls[i]?.data.startsWith(next) ? undefined : answer,
      ),
  };
  expect(await sourceOf(world).sync(mute, [refOf(pair)], at, reportUnserved)).toEqual([]);
  expect(told).toEqual([`${pair.address} NOT_READABLE`, `${pair.address} NOT_READABLE`]);
});

test("an action and its data name the pair, X and the bin step", async () => {
  const world = await deployBins(anvil, false);
  const pair = await world.createPair(20, MIDDLE_BIN, PRESETS[20]!);
  await world.deposit(pair, [{ id: MIDDLE_BIN, x: 5n, y: 5n }]);
  const [pool] = await sourceOf(world).sync(anvil.reader, [refOf(pair)], await anvil.mine());
  const [tokenX, tokenY] = pair.tokens;
  const fill = { poolId: pair.address, source: "LFJ", sellToken: tokenY, buyToken: tokenX };
  expect(sourceOf(world).action(pool!, { ...fill, sellAmount: 1n, buyAmount: 1n, gas: 0n, share: 1n })).toEqual({
    ...{ action: "lb-pair", pair: pair.address, tokenX },
  });
  expect(sourceOf(world).fillData(pool!)).toEqual({
    ...{ pair: pair.address, factory: world.factory, tokenX, binStep: "20" },
  });
  expect(await anvil.read(pair.address, binPairAbi, "getBinStep")).toBe(20);
});

function refOf({ address, tokens, binStep }: BinPair) {
  return { id: address, address, tokens, terms: { binStep: String(binStep) } };
}
