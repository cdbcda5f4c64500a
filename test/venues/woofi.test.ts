import { encodeFunctionData } from "viem";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { BlockRef } from "../../src/domain/block.ts";
import type { PoolRef } from "../../src/market/liquidity-source.ts";
import { isRejection } from "../../src/pools/pool-math.ts";
import { wooMath } from "../../src/pools/woofi/math.ts";
import { woofi } from "../../src/venues/woofi/source.ts";
import { sourceContract } from "../market/liquidity-source.suite.ts";
import { type Anvil, startAnvil } from "./worlds/anvil.ts";
import { compiled } from "./worlds/compiled.ts";
import {
  BOUND,
  deployWoofi,
  STALE_SECONDS,
  sendAll,
  swapAt,
  type WooToken,
  type WooWorld,
} from "./worlds/singletons/woofi.ts";
import { createRandom } from "./worlds/traffic/random.ts";

const BLOCKS = process.env.TRIBUTARY_LONG === "1" ? 300 : 25;
const DOLLAR = 10n ** 6n;
const ETHER = 10n ** 18n;

vi.setConfig({ testTimeout: process.env.TRIBUTARY_LONG === "1" ? 3_600_000 : 180_000 });

const poolAbi = compiled("DevnetWooPool").abi;
const oracleAbi = compiled("DevnetWooOracle").abi;
const quoteToken: WooToken = {
  ...{ reserve: 5_000_000n * DOLLAR, feeRate: 0, maxGamma: 0n, maxNotional: 0n },
  ...{ price: 0n, spread: 0n, coeff: 0n, reference: 0n, prefersReference: false },
};
const ether: WooToken = {
  ...{ reserve: 1_000n * ETHER, feeRate: 25, maxGamma: 3n * 10n ** 15n, maxNotional: 1_000_000n * DOLLAR },
  ...{ price: 2_500n * 10n ** 8n, spread: 5n * 10n ** 14n, coeff: 2n * 10n ** 9n },
  ...{ reference: 2_501n * 10n ** 8n, prefersReference: false },
};
const usual = [quoteToken, ether, ether];

let anvil: Anvil;
let world: WooWorld;
let ref: PoolRef;
beforeAll(async () => {
  anvil = await startAnvil();
  world = await deployWoofi(anvil, { decimals: [6, 18, 18] });
  const listing = await woofi(world.record).listed!(anvil.reader, () => false, await anvil.head());
  ref = listing.pools[0]!;
});
afterAll(() => anvil?.stop());

const onPool = (functionName: string, ...args: readonly unknown[]) =>
  anvil.send(world.record.pool, encodeFunctionData({ abi: poolAbi, functionName, args }));
const onOracle = (functionName: string, ...args: readonly unknown[]) =>
  anvil.send(world.record.oracle, encodeFunctionData({ abi: oracleAbi, functionName, args }));

async function written(tokens: readonly WooToken[] = usual): Promise<BlockRef> {
  await world.write(tokens, (await anvil.head()).timestamp);
  await onPool("pause", false);
  await onOracle("set", world.record.pool, STALE_SECONDS, BOUND);
  return anvil.mine();
}

async function readAt(at: BlockRef) {
  const told: string[] = [];
  const [read] = await woofi(world.record).sync(anvil.reader, [ref], at, (_, reason) => told.push(reason));
  if (read !== undefined && read.curve !== "woofi") throw new Error("another curve");
  return { state: read?.state, told };
}

test("the helper lists the tokens, the quote token first", async () => {
  expect(ref.tokens).toEqual(world.tokens);
  expect(ref.address).toBe(world.record.pool);
  const again = await woofi(world.record).listed!(anvil.reader, (id) => id === ref.id, await anvil.head());
  expect(again.pools).toEqual([]);
});

test("the pool follows posts without logs, swaps and time, block by block", async () => {
  const start = await written();
  const random = createRandom(78);
  const source = { ...woofi(world.record), fixed: () => [ref] };
  let prices = usual;
  const act = async () => {
    if (random.chance(0.6)) {
      prices = prices.map((token, i) =>
        i === 0 ? token : { ...token, price: token.price + BigInt(random.int(-500_000, 500_000)) },
      );
      for (const [i, { price, spread, coeff }] of prices.entries())
        if (i > 0) await onOracle("post", world.tokens[i], price, spread, coeff, (await anvil.head()).timestamp);
    } else {
      const [sell, buy] = random.pick([
        [0, 1],
        [1, 0],
        [1, 2],
        [2, 0],
      ] as const);
      const amount = sell === 0 ? 1_000n * DOLLAR : ETHER;
      const transfer = compiled("DevnetToken").abi;
      await anvil.send(
        world.tokens[sell]!,
        encodeFunctionData({ abi: transfer, functionName: "transfer", args: [world.record.pool, amount] }),
      );
      await onPool("swap", world.tokens[sell], world.tokens[buy], amount, 0n, anvil.account, anvil.account);
    }
    await anvil.rpc("evm_increaseTime", [random.pick([1, 12, 90])]);
    return anvil.mine();
  };
  await sourceContract({ ...{ source, reader: anvil.reader, start, blocks: BLOCKS, act, logsOf: anvil.logsOf } });
});

test("a price that turns stale before the swap's block is refused then, as the contract does", async () => {
  const { state } = await readAt(await written());
  const posted = await anvil.read<bigint>(world.record.oracle, oracleAbi, "timestamp");
  expect(state!.bases.map(({ goodUntil }) => goodUntil)).toEqual([posted + STALE_SECONDS, posted + STALE_SECONDS]);
  await sendAll(anvil, world);
  const swap = { sell: 1, buy: 0, amount: ETHER };
  for (const [time, isGood] of [
    [posted + STALE_SECONDS, true],
    [posted + STALE_SECONDS + 1n, false],
  ] as const) {
    await anvil.rpc("evm_setNextBlockTimestamp", [Number(time)]);
    expect((await anvil.mine()).timestamp).toBe(time);
    const quote = wooMath.quoteExactIn(state!, { sell: 1, buy: 0 }, ETHER, time);
    expect(isRejection(quote)).toBe(!isGood);
    const answer = await swapAt(anvil, world, swap);
    if (isRejection(quote)) expect(answer).toContain("WooPPV2: !ORACLE_FEASIBLE");
    else expect(answer).toBe(quote.amount);
  }
});

test("a stale price gives way to the reference where that is preferred, which time does not end", async () => {
  await written([quoteToken, { ...ether, prefersReference: true }, ether]);
  await anvil.rpc("evm_increaseTime", [1_000]);
  const at = await anvil.mine();
  const { state } = await readAt(at);
  expect(state!.bases[0]).toMatchObject({ price: ether.reference });
  expect(state!.bases[0]!.goodUntil).toBeUndefined();
  expect(state!.bases[1]).toMatchObject({ price: 0n });
  await sendAll(anvil, world);
  const quote = wooMath.quoteExactIn(state!, { sell: 1, buy: 0 }, ETHER, at.timestamp);
  if (isRejection(quote)) throw new Error(quote.rejected);
  expect(await swapAt(anvil, world, { sell: 1, buy: 0, amount: ETHER })).toBe(quote.amount);
});

test("a token without a good price is not traded, others are: reference, bound, range and reserve", async () => {
  const broken: readonly Partial<WooToken>[] = [
    { reference: 0n },
    { reference: (ether.price * 102n) / 100n },
    { price: 0n, prefersReference: false },
  ];
  for (const change of broken) {
    const { state } = await readAt(await written([quoteToken, { ...ether, ...change }, ether]));
    expect(state!.bases.map(({ price }) => price)).toEqual([0n, ether.price]);
  }
  await written();
  await onOracle("refer", world.tokens[1], ether.reference, false, ether.price, 1n << 100n);
  expect((await readAt(await anvil.mine())).state!.bases.map(({ price }) => price)).toEqual([0n, ether.price]);
});

test("a pool that is paused, of another oracle, or with another list of tokens is left out and told", async () => {
  await written();
  await onPool("pause", true);
  expect((await readAt(await anvil.mine())).told).toEqual(["PAUSED"]);
  await written();
  await onOracle("set", anvil.account, STALE_SECONDS, BOUND);
  expect((await readAt(await anvil.mine())).told).toEqual(["UNKNOWN_VERSION"]);
  const at = await written();
  const source = woofi({ ...world.record, oracle: anvil.account });
  const told: string[] = [];
  expect(await source.sync(anvil.reader, [ref], at, (_, reason) => told.push(reason))).toEqual([]);
  expect(told).toEqual(["UNKNOWN_VERSION"]);
});

test("a pool that pays otherwise than we compute is left out and told", async () => {
  const at = await written();
  const lying = {
    ...anvil.reader,
    calls: async (...[calls, block]: Parameters<typeof anvil.reader.calls>) => {
      const answers = await anvil.reader.calls(calls, block);
      const isQuery = (index: number) => calls[index]!.data.length === 2 + 8 + 3 * 64;
      return answers.map((answer, i) =>
        isQuery(i) && answer ? (`0x${(BigInt(answer) + 1n).toString(16).padStart(64, "0")}` as const) : answer,
      );
    },
  };
  const told: string[] = [];
  expect(await woofi(world.record).sync(lying, [ref], at, (_, reason) => told.push(reason))).toEqual([]);
  expect(told).toEqual(["UNKNOWN_VERSION"]);
});

test("spreads that tell no version from the other leave base tokens apart", async () => {
  const coarse = await deployWoofi(anvil, { decimals: [18, 6, 6] });
  const poolRef = (await woofi(coarse.record).listed!(anvil.reader, () => false, await anvil.head())).pools[0]!;
  const spreads = async (...own: readonly [bigint, bigint]) => {
    const base = { ...ether, reserve: 1_000n * 10n ** 6n, maxNotional: 10n ** 23n };
    const quote = { ...quoteToken, reserve: 10n ** 24n };
    await coarse.write([quote, ...own.map((spread) => ({ ...base, spread }))], (await anvil.head()).timestamp);
    const [read] = await woofi(coarse.record).sync(anvil.reader, [poolRef], await anvil.mine());
    return read?.curve === "woofi" ? read.state.spreads : undefined;
  };
  expect(await spreads(0n, 10n ** 13n)).toBe("unknown");
  expect(await spreads(0n, 0n)).toBe("halved");
  expect(await spreads(10n ** 14n, 5n * 10n ** 14n)).toBe("halved");
});

test("an action names the pool", async () => {
  const [read] = await woofi(world.record).sync(anvil.reader, [ref], await written());
  const { pool } = world.record;
  const fill = {
    poolId: ref.id,
    source: "WOOFi",
    sellToken: ref.tokens[0]!,
    buyToken: ref.tokens[1]!,
    gas: 0n,
    share: 1n,
  };
  expect(woofi(world.record).action(read!, { ...fill, sellAmount: 1n, buyAmount: 1n })).toEqual({
    action: "woofi-pool",
    pool,
  });
  expect(woofi(world.record).fillData(read!)).toEqual({ pool, quoteToken: ref.tokens[0] });
});

test("a token that is listed later makes another pool, in whose place the old one is left out", async () => {
  const { tokens } = await deployWoofi(anvil, { decimals: [6, 18] });
  await written();
  await onPool("list", tokens[1]);
  const at = await anvil.mine();
  const { pools } = await woofi(world.record).listed!(anvil.reader, (id) => id === ref.id, at);
  expect(pools[0]!.tokens.length).toBe(4);
  expect((await readAt(at)).told).toEqual(["NOT_READABLE"]);
  const [read] = await woofi(world.record).sync(anvil.reader, pools, at);
  expect(read?.id).toBe(pools[0]!.id);
});
