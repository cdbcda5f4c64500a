import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Address, NATIVE_TOKEN } from "../../src/domain/address.ts";
import type { BlockRef } from "../../src/domain/block.ts";
import { fluidMath } from "../../src/pools/fluid/math.ts";
import { isRejection } from "../../src/pools/pool-math.ts";
import { ONE_MORE } from "../../src/venues/fluid/action.ts";
import { fluid } from "../../src/venues/fluid/source.ts";
import { sourceContract } from "../market/liquidity-source.suite.ts";
import { type Anvil, startAnvil } from "./worlds/anvil.ts";
import {
  deployFluid,
  evenWords,
  type FluidWorld,
  type LayerAmounts,
  sendSwap,
  swapAt,
  tokensOf,
  wordsAtOne,
  writeWords,
} from "./worlds/singletons/fluid.ts";
import { createRandom } from "./worlds/traffic/random.ts";

const BLOCKS = process.env.TRIBUTARY_LONG === "1" ? 500 : 20;

vi.setConfig({ testTimeout: process.env.TRIBUTARY_LONG === "1" ? 3_600_000 : 180_000 });

interface TestPool {
  readonly pool: Address;
  readonly tokens: readonly [Address, Address];
}

let anvil: Anvil;
let world: FluidWorld;

beforeAll(async () => {
  anvil = await startAnvil();
  world = await deployFluid(anvil);
});
afterAll(() => anvil?.stop());

/** A pool of collateral and debt, worth a million of either token. */
async function poolOf(kinds: Parameters<typeof tokensOf>[1]): Promise<TestPool> {
  const tokens = await tokensOf(anvil, kinds);
  const pool = await world.createPool(tokens);
  const [first, second] = kinds.map((kind) => (kind === "native" ? 18 : kind)) as [number, number];
  // Tokens stand in the order of their addresses.
  const isTurned = kinds[0] === "native" && tokens[0] !== NATIVE_TOKEN;
  const decimals: [number, number] = isTurned ? [second, first] : [first, second];
  await writeWords(anvil, world, { pool, tokens }, evenWords(decimals, (await anvil.head()).timestamp));
  return { pool, tokens };
}

const refsOf = (pools: readonly TestPool[]) =>
  pools.map(({ pool, tokens }) => ({ id: pool, address: pool, tokens, terms: {} }));
const listed = async (at: BlockRef, known: (id: string) => boolean = () => false) => {
  const listing = await fluid(world.record).listed?.(anvil.reader, known, at);
  if (listing === undefined) throw new Error("the source lists no pools");
  return listing;
};

test("pools are listed by the factory, and follow swaps and time, block by block", async () => {
  const pools = [await poolOf([18, 18]), await poolOf(["native", 18])];
  const start = await anvil.mine();
  const { pools: refs, unserved } = await listed(start);
  expect(refs).toEqual(refsOf(pools));
  expect(unserved.size).toBe(0);
  expect((await listed(start, (id) => id === pools[0]!.pool)).pools).toEqual(refsOf([pools[1]!]));

  const random = createRandom(77);
  const source = { ...fluid(world.record), fixed: () => refs };
  let swaps = 0;
  const act = async () => {
    const { pool, tokens } = random.pick(pools);
    const head = await anvil.head();
    const [read] = await source.sync(anvil.reader, refsOf([{ pool, tokens }]), head);
    if (read?.curve !== "fluid") throw new Error("the pool cannot be read");
    const sell = random.int(0, 1);
    const amount = random.between(10n ** 15n, 10n ** 22n);
    const quote = fluidMath.quoteExactIn(read.state, { sell, buy: 1 - sell }, amount, head.timestamp);
    if (!isRejection(quote)) {
      await sendSwap(anvil, pool, { sells0: sell === 0, amount, value: tokens[sell] === NATIVE_TOKEN ? amount : 0n });
      swaps++;
    }
    await anvil.rpc("evm_increaseTime", [random.pick([1, 12, 3_600])]);
    return anvil.mine();
  };
  await sourceContract({
    ...{ source, reader: anvil.reader, start, blocks: BLOCKS, act, logsOf: anvil.logsOf },
  });
  expect(swaps).toBeGreaterThan(BLOCKS / 2);
});

test("a pool that is paused, and one that does not answer, are left out and told", async () => {
  const [paused, whole, mute] = [await poolOf([18, 18]), await poolOf([6, 6]), await poolOf([8, 8])];
  const words = evenWords([18, 18], (await anvil.head()).timestamp);
  await writeWords(anvil, world, paused, { ...words, terms: words.terms | (1n << 255n) });
  const told: string[] = [];
  const silent = {
    ...anvil.reader,
    calls: async (...[calls, block]: Parameters<typeof anvil.reader.calls>) =>
      (await anvil.reader.calls(calls, block)).map((answer, i) => (calls[i]?.to === mute.pool ? undefined : answer)),
  };
  const reportUnserved = (id: string, reason: string) => told.push(`${id} ${reason}`);
  const read = await fluid(world.record).sync(
    silent,
    refsOf([paused, whole, mute]),
    await anvil.mine(),
    reportUnserved,
  );
  expect(read.map(({ id }) => id)).toEqual([whole.pool]);
  expect(told).toEqual([`${paused.pool} PAUSED`, `${mute.pool} NOT_READABLE`]);
});

const LARGE = 10n ** 25n;
/** Amounts of a pool in the token that it takes and in the one that it pays; nobody else has any, unless told. */
const ALONE = {
  withdrawn: [{ held: LARGE }, { held: LARGE }],
  deposited: [{ held: 10n ** 15n }, { held: LARGE }],
  "paid back": [
    { owed: LARGE, supplied: 2n * LARGE },
    { owed: LARGE, supplied: 100n * LARGE, borrowed: 20n * LARGE },
  ],
  borrowed: [
    { owed: LARGE, supplied: 100n * LARGE, borrowed: 20n * LARGE },
    { owed: 10n ** 15n, supplied: 2n * LARGE },
  ],
} as const;

test.each(Object.entries(ALONE))("no more is %s of a token at once than its layer lets pass", async (_, amounts) => {
  const { pool, tokens } = await poolOf([18, 18]);
  const whole = amounts.map(({ held = 0n, owed = 0n, ...all }: Partial<LayerAmounts>) => {
    return { held, owed, supplied: all.supplied ?? held, borrowed: all.borrowed ?? owed };
  });
  await writeWords(anvil, world, { pool, tokens }, wordsAtOne(whole, 10_000n, (await anvil.head()).timestamp));
  const [read] = await fluid(world.record).sync(anvil.reader, refsOf([{ pool, tokens }]), await anvil.mine());
  if (read?.curve !== "fluid") throw new Error("the pool cannot be read");
  const { maxSell } = fluidMath.limits(read.state, { sell: 0, buy: 1 }, 0n);
  // About what the layer always lets pass (2^80) or more, and less than all that the pool has.
  expect(maxSell).toBeGreaterThan((98n << 80n) / 100n);
  expect(maxSell).toBeLessThan((6n * LARGE) / 10n);
  const quote = fluidMath.quoteExactIn(read.state, { sell: 0, buy: 1 }, maxSell, 0n);
  if (isRejection(quote)) throw new Error(quote.rejected);
  const swap = { sells0: true, exactOut: false, value: 0n };
  expect(await swapAt(anvil, pool, { ...swap, amount: maxSell })).toBe(quote.amount);
  // UserModule__OperateAmountRatioExcess
  expect(await swapAt(anvil, pool, { ...swap, amount: maxSell + 10n ** 18n })).toContain("+\t");
});

test.each(["supply", "debt"] as const)(
  "nothing is sold to or bought of what the layer has paused: %s",
  async (side) => {
    const { pool, tokens } = await poolOf([18, 18]);
    const [held, owed] = side === "supply" ? [LARGE, 0n] : [0n, LARGE];
    const amounts = [0, 1].map(() => ({ held, owed, supplied: 9n * LARGE, borrowed: 3n * LARGE }));
    const words = wordsAtOne(amounts, 10_000n, (await anvil.head()).timestamp);
    const paused = words.tokens.map((token, i) => (i === 0 ? { ...token, [side]: token[side] | (1n << 255n) } : token));
    await writeWords(anvil, world, { pool, tokens }, { ...words, tokens: paused });
    const [read] = await fluid(world.record).sync(anvil.reader, refsOf([{ pool, tokens }]), await anvil.mine());
    if (read?.curve !== "fluid") throw new Error("the pool cannot be read");
    for (const sell of [0, 1]) {
      const swap = { sells0: sell === 0, exactOut: false, amount: 10n ** 18n, value: 0n };
      const quote = fluidMath.quoteExactIn(read.state, { sell, buy: 1 - sell }, swap.amount, 0n);
      expect(quote).toMatchObject({ rejected: "TOO_LARGE" });
      expect(await swapAt(anvil, pool, swap)).toContain("reverted");
    }
  },
);

test("a pool in a state that a snapshot refuses is left out and told", async () => {
  const pool = await poolOf([6, 6]);
  await writeWords(anvil, world, pool, evenWords([18, 18], (await anvil.head()).timestamp));
  const told: string[] = [];
  const reportUnserved = (id: string, reason: string) => told.push(`${id} ${reason}`);
  expect(await fluid(world.record).sync(anvil.reader, refsOf([pool]), await anvil.mine(), reportUnserved)).toEqual([]);
  expect(told).toEqual([`${pool.pool} NOT_READABLE`]);
});

test("an action names the layer, the pool, its first token and how an exact output is rounded", async () => {
  const { pool, tokens } = await poolOf(["native", 6]);
  const source = fluid(world.record);
  const [read] = await source.sync(anvil.reader, refsOf([{ pool, tokens }]), await anvil.mine());
  const fill = { poolId: pool, source: "Fluid", sellToken: tokens[0], buyToken: tokens[1], gas: 0n, share: 1n };
  expect(source.action(read!, { ...fill, sellAmount: 1n, buyAmount: 1n })).toEqual({
    ...{ action: "fluid-pool", liquidity: world.record.liquidity, pool, token0: tokens[0] },
    digits: tokens[0] === NATIVE_TOKEN ? [6, ONE_MORE] : [ONE_MORE, 6],
  });
  expect(source.fillData(read!)).toEqual({ pool, token0: tokens[0] });
});
