import { toFunctionSelector } from "viem";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Address, Hex } from "../../src/domain/address.ts";
import type { Call, ChainReader } from "../../src/market/chain-reader.ts";
import { maverick } from "../../src/venues/maverick/source.ts";
import { wordOf } from "../../src/venues/reading/words.ts";
import { sourceContract } from "../market/liquidity-source.suite.ts";
import { type Anvil, startAnvil } from "./worlds/anvil.ts";
import {
  deployMaverick,
  type MaverickTerms,
  type MaverickWorld,
  place,
  STATIC,
  sendTo,
  swapData,
  tokensOf,
} from "./worlds/singletons/maverick.ts";
import { transferData } from "./worlds/traffic/minted-tokens.ts";
import { createRandom } from "./worlds/traffic/random.ts";

const BLOCKS = process.env.TRIBUTARY_LONG === "1" ? 300 : 30;
const ONE = 10n ** 18n;
const ALL_KINDS = 15;
const NOBODY = `0x${"00".repeat(20)}` as Address;

vi.setConfig({ testTimeout: process.env.TRIBUTARY_LONG === "1" ? 3_600_000 : 180_000 });

let anvil: Anvil;
let world: MaverickWorld;
let made: Pick<MaverickTerms, "tokens" | "decimals">;
beforeAll(async () => {
  anvil = await startAnvil();
  world = await deployMaverick(anvil);
  made = await tokensOf(anvil, [18, 18]);
});
afterAll(() => anvil?.stop());

const HELD = 1_000n * ONE;
/** A row of ticks around one, the price in its middle. */
const rowAround = (middle: number, reach: number) =>
  Array.from({ length: 2 * reach + 1 }, (_, at) => middle - reach + at).map((index) => ({
    ...{ index, reserveA: index <= middle ? HELD : 0n, reserveB: index >= middle ? HELD : 0n },
  }));
const create = (terms: Partial<MaverickTerms> = {}) =>
  world.create({
    ...{ ...made, fees: [10n ** 15n, 2n * 10n ** 15n], tickSpacing: 10, activeTick: 0, ticks: rowAround(0, 4) },
    ...terms,
  });
const refOf = (pool: Address, accessor = NOBODY) => ({
  ...{ id: pool, address: pool, tokens: made.tokens, terms: { accessor } },
});

async function readOf(pool: Address, reader: ChainReader = anvil.reader) {
  const told: string[] = [];
  const [read] = await maverick(world.record).sync(reader, [refOf(pool)], await anvil.mine(), (_, reason) =>
    told.push(reason),
  );
  if (read !== undefined && read.curve !== "maverick") throw new Error("another curve");
  return { read, state: read?.state, told };
}

/** The chain, but for the answers to calls that begin so. */
const answering = (begins: string, answer: (call: Call) => Hex | undefined): ChainReader => ({
  ...anvil.reader,
  calls: async (calls, block) =>
    (await anvil.reader.calls(calls, block)).map((own, at) =>
      calls[at]!.data.startsWith(begins) ? answer(calls[at]!) : own,
    ),
});

test("pools are announced by the factory, and follow swaps, liquidity and fees, block by block", async () => {
  const pools = [
    await create(),
    await create({ kinds: ALL_KINDS, tickSpacing: 50, activeTick: -7, ticks: rowAround(-7, 3) }),
  ];
  const start = await anvil.mine();
  const random = createRandom(83);
  const act = async () => {
    const pool = random.pick(pools);
    const kind = random.int(0, 7);
    if (kind === 0) await sendTo(anvil, pool, "setProtocolFeeRatio", [random.int(0, 250)]);
    else if (kind === 1) {
      const { state } = await readOf(pool);
      await place(anvil, pool, { ...made, ticks: rowAround(state!.activeTick, random.int(0, 3)) });
    } else {
      const [sellsA, amount] = [random.chance(0.5), random.between(10n ** 12n, 900n * ONE)];
      await anvil.send(made.tokens[sellsA ? 0 : 1], transferData(pool, amount));
      const tickLimit = sellsA ? 2 ** 31 - 1 : -(2 ** 31);
      await anvil.send(pool, swapData(anvil.account, { sellsA, exactOut: false, amount, tickLimit }));
    }
    return anvil.mine();
  };
  const { refs, applied } = await sourceContract({
    ...{ source: maverick(world.record), reader: anvil.reader, start, blocks: BLOCKS, act, logsOf: anvil.logsOf },
    rereads: true,
  });
  expect(refs.map(({ id }) => id)).toEqual(pools);
  expect(applied.size).toBe(3);
});

test("a pool whose bins may move says so; its fees, scales and ticks are its own", async () => {
  const odd = await tokensOf(anvil, [6, 18]);
  const source = maverick(world.record);
  for (const [kinds, movable] of [
    [STATIC, undefined],
    [2, true],
    [ALL_KINDS, true],
  ] as const) {
    const pool = await create({ ...odd, kinds, protocolPart: 120 });
    const ref = { ...refOf(pool), tokens: odd.tokens };
    const [read] = await source.sync(anvil.reader, [ref], await anvil.mine());
    const scales = odd.decimals.map((decimals) => 10n ** BigInt(18 - decimals));
    expect(read?.state).toEqual({
      ...{ tickSpacing: 10, activeTick: 0, fees: [10n ** 15n, 2n * 10n ** 15n], protocolPart: 120, scales },
      ...{ ticks: rowAround(0, 4), ...(movable && { movable }) },
    });
  }
});

test("ticks are read as far as 64 on either side, and no further than there are prices", async () => {
  const far = await create({
    ticks: [...rowAround(0, 1), { index: 64, reserveA: 0n, reserveB: 5n }, { index: 65, reserveA: 0n, reserveB: 7n }],
  });
  expect((await readOf(far)).state?.ticks.map(({ index }) => index)).toEqual([-1, 0, 1, 64]);
  const asked: bigint[] = [];
  const last = await create({
    tickSpacing: 10_000,
    activeTick: 31,
    ticks: [{ index: 31, reserveA: HELD, reserveB: 0n }],
  });
  const reader: ChainReader = {
    ...anvil.reader,
    calls: (calls, block) => {
      for (const { to, data } of calls)
        if (to === last && data.length === 74) asked.push(BigInt.asIntN(256, BigInt(`0x${data.slice(10)}`)));
      return anvil.reader.calls(calls, block);
    },
  };
  expect((await readOf(last, reader)).state?.ticks).toHaveLength(1);
  expect(asked.filter((tick) => tick !== 0n && tick !== 1n).every((tick) => tick >= -33n && tick < 32n)).toBe(true);
});

test("a pool with an accessor is counted, and not served", async () => {
  const pool = await create({ accessor: anvil.account });
  const source = maverick(world.record);
  const block = await anvil.head();
  const logs = await anvil.reader.logs({
    ...{ addresses: source.creation!.addresses, topics: source.creation!.topics, fromBlock: 0n, to: block },
  });
  const log = logs.find(({ data }) => data.slice(26, 66) === pool.slice(2))!;
  expect(source.created!(log)).toBeUndefined();
  expect(source.refused!(log)).toBe("UNKNOWN_VERSION");
  expect(source.isSound!(refOf(pool, anvil.account))).toBe(false);
  // Nor by a reference that leaves the accessor out.
  expect((await readOf(pool)).told).toEqual(["NOT_READABLE"]);
});

test("logs that announce no pool of the factory are none of ours", async () => {
  const source = maverick(world.record);
  const pool = await create();
  const block = await anvil.head();
  const [topic] = source.creation!.topics;
  const logs = await anvil.reader.logs({
    addresses: [world.record.factory],
    topics: [topic!],
    fromBlock: 0n,
    to: block,
  });
  const log = logs.find(({ data }) => data.slice(26, 66) === pool.slice(2))!;
  expect(source.created!(log)).toEqual(refOf(pool));
  expect(source.created!({ ...log, address: pool })).toBeUndefined();
  expect(source.created!({ ...log, topics: [] })).toBeUndefined();
  expect(source.created!({ ...log, data: "0x" })).toBeUndefined();
  const turned = `${log.data.slice(0, 2 + 7 * 64)}${wordOf(BigInt(made.tokens[1]))}${wordOf(BigInt(made.tokens[0]))}${log.data.slice(2 + 9 * 64)}`;
  expect(source.created!({ ...log, data: turned as Hex })).toBeUndefined();
});

test("pools that answer what no pool can, or not at all, are left out and told; others are read", async () => {
  const pool = await create();
  const selectors = { state: toFunctionSelector("getState()"), spacing: toFunctionSelector("tickSpacing()") };
  const huge = `0x${"f".repeat(64 * 9)}` as const;
  const lies: readonly ChainReader[] = [
    answering(selectors.state, () => undefined),
    answering(selectors.state, () => huge),
    answering(selectors.state, () => "0x00"),
    answering(selectors.spacing, () => `0x${wordOf(0)}`),
    answering(selectors.spacing, () => huge),
    // Every tick, the fees and whatever else takes an argument.
    {
      ...anvil.reader,
      calls: async (calls, block) =>
        (await anvil.reader.calls(calls, block)).map((own, at) => (calls[at]!.data.length === 74 ? huge : own)),
    },
    { ...anvil.reader, calls: async (calls) => calls.map(() => undefined) },
    { ...anvil.reader, calls: async (calls) => calls.map(() => huge) },
  ];
  for (const reader of lies)
    expect(await readOf(pool, reader)).toMatchObject({ state: undefined, told: ["NOT_READABLE"] });
  const other = await create();
  const reader: ChainReader = {
    ...anvil.reader,
    calls: async (calls, block) =>
      (await anvil.reader.calls(calls, block)).map((own, at) => (calls[at]!.to === pool ? undefined : own)),
  };
  const read = await maverick(world.record).sync(reader, [refOf(pool), refOf(other)], await anvil.mine());
  expect(read.map(({ id }) => id)).toEqual([other]);
});

test("a pool that the factory does not know is none, whatever it says", async () => {
  const [one, other] = [await create(), await deployMaverick(anvil)];
  const [read] = await maverick(other.record).sync(anvil.reader, [refOf(one)], await anvil.mine());
  expect(read).toBeUndefined();
});

test("an action names the pool, its token A and the furthest tick that a sale comes to", async () => {
  const pool = await create();
  const source = maverick(world.record);
  const { read } = await readOf(pool);
  for (const [sell, tickLimit] of [
    [0, 4],
    [1, -4],
  ] as const) {
    const [sellToken, buyToken] = [made.tokens[sell]!, made.tokens[1 - sell]!];
    const fill = { poolId: pool, source: "Maverick_V2", sellToken, buyToken, gas: 0n, share: 1n };
    expect(source.action(read!, { ...fill, sellAmount: 1n, buyAmount: 1n })).toEqual({
      ...{ action: "maverick-pool", pool, tokenA: made.tokens[0], tickLimit },
    });
  }
  expect(source.fillData(read!)).toEqual({ pool, factory: world.record.factory, tokenA: made.tokens[0] });
  expect(source.apply(read!, { ...(await anvil.logsOf(await anvil.head()))[0]! }, 0n)).toBe("resync");
});
