import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Address, Hex } from "../../src/domain/address.ts";
import type { ChainReader } from "../../src/market/chain-reader.ts";
import { ONE } from "../../src/pools/euler-swap/branch.ts";
import { eulerSwapMath } from "../../src/pools/euler-swap/math.ts";
import { isRejection } from "../../src/pools/pool-math.ts";
import { eulerSwap } from "../../src/venues/euler-swap/source.ts";
import { wordOf } from "../../src/venues/reading/words.ts";
import { sourceContract } from "../market/liquidity-source.suite.ts";
import { type Anvil, startAnvil } from "./worlds/anvil.ts";
import {
  configure,
  deployEuler,
  type EulerTerms,
  type EulerWorld,
  sendTo,
  tokensOf,
  tradeWith,
} from "./worlds/singletons/euler-swap.ts";
import { transferData } from "./worlds/traffic/minted-tokens.ts";
import { createRandom } from "./worlds/traffic/random.ts";

const BLOCKS = process.env.TRIBUTARY_LONG === "1" ? 300 : 24;
const MAX_UINT256 = (1n << 256n) - 1n;
const HELD = 1_000_000n * ONE;

vi.setConfig({ testTimeout: process.env.TRIBUTARY_LONG === "1" ? 3_600_000 : 180_000 });

let anvil: Anvil;
let world: EulerWorld;
let tokens: [Address, Address];
beforeAll(async () => {
  anvil = await startAnvil();
  world = await deployEuler(anvil);
  tokens = await tokensOf(anvil, [18, 18]);
});
afterAll(() => anvil?.stop());

const terms: Omit<EulerTerms, "tokens" | "held"> = {
  ...{ version: "v2", equilibrium: [1_000n * ONE, 2_000n * ONE], reserves: [1_000n * ONE, 2_000n * ONE] },
  ...{ prices: [2n * ONE, ONE], concentrations: [ONE / 2n, (9n * ONE) / 10n], fees: [10n ** 15n, 2n * 10n ** 15n] },
  ...{ maxIn: [400n * ONE, 600n * ONE], maxOut: [500n * ONE, 900n * ONE] },
};
const create = (own: Partial<EulerTerms> = {}) => world.create({ ...terms, tokens, held: [HELD, HELD], ...own });
const refOf = (pool: Address) => ({ id: pool, address: pool, tokens, terms: {} });

async function readOf(pool: Address, reader: ChainReader = anvil.reader) {
  const told: string[] = [];
  const tell = (_: string, reason: string) => told.push(reason);
  const [read] = await eulerSwap(world.record).sync(reader, [refOf(pool)], await anvil.mine(), tell);
  if (read !== undefined && read.curve !== "euler-swap") throw new Error("another curve");
  return { pool: read, state: read?.state, told };
}

/** A reader whose answer to one call of the first batch is another. */
function answering(index: number, answer: Hex | undefined): ChainReader {
  let batch = 0;
  return {
    ...anvil.reader,
    calls: async (...[calls, block]: Parameters<ChainReader["calls"]>) => {
      const answers = await anvil.reader.calls(calls, block);
      return batch++ === 0 ? answers.map((own, i) => (i === index ? answer : own)) : answers;
    },
  };
}

const words = (...values: readonly bigint[]): Hex => `0x${values.map(wordOf).join("")}`;

test("pools are announced by factory and registry, and follow trades, terms and vaults, block by block", async () => {
  const pools: Address[] = [];
  for (const version of ["v1", "v2"] as const) pools.push(await create({ version, fees: [10n ** 15n, 10n ** 15n] }));
  const start = await anvil.mine();
  const random = createRandom(313);
  const source = eulerSwap(world.record);
  const act = async () => {
    const pool = random.pick(pools);
    const kind = random.int(0, 6);
    const version = pool === pools[0] ? "v1" : "v2";
    if (kind === 0) {
      const price = 2n * ONE + BigInt(random.int(0, 10 ** 9));
      await configure(anvil, pool, { ...terms, version, prices: [price, ONE], fees: [10n ** 15n, 10n ** 15n] });
    } else if (kind === 1) {
      // Others who use a vault move what it takes and pays, without a log of the pool.
      const some = () => BigInt(random.int(100, 900)) * ONE;
      await sendTo(anvil, pool, "setVaults", [
        [some(), some()],
        [some(), some()],
      ]);
    } else {
      const { state } = await readOf(pool);
      const sell = random.pick([0, 1] as const);
      const sold = random.between(10n ** 12n, 50n * ONE);
      const quote = eulerSwapMath.quoteExactIn(state!, { sell, buy: 1 - sell }, sold, 0n);
      if (!isRejection(quote)) await tradeWith(anvil, { pool, tokens }, { sell, sold, bought: quote.amount });
    }
    return anvil.mine();
  };
  const { refs } = await sourceContract({
    ...{ source, reader: anvil.reader, start, blocks: BLOCKS, act, logsOf: anvil.logsOf },
  });
  expect(refs.map(({ id }) => id)).toEqual(pools);
});

test("a pool that is locked, expired or about to be, hooked, no operator or without any room is left out and told", async () => {
  const { timestamp } = await anvil.head();
  expect((await readOf(await create())).told).toEqual([]);
  expect((await readOf(await create({ expiration: timestamp + 86_400n }))).told).toEqual([]);
  expect((await readOf(await create({ expiration: timestamp + 60n }))).told).toEqual(["PAUSED"]);
  for (const hooked of [1, 2, 4]) expect((await readOf(await create({ hooked }))).told).toEqual(["UNKNOWN_HOOKS"]);
  expect((await readOf(await create({ maxIn: [0n, 0n], maxOut: [0n, 0n] }))).told).toEqual(["PAUSED"]);
  for (const version of ["v1", "v2"] as const) {
    const pool = await create({ version });
    await sendTo(anvil, pool, "setStatus", [1, false]);
    expect((await readOf(pool)).told).toEqual(["PAUSED"]);
    await sendTo(anvil, pool, "setStatus", [2, true]);
    expect((await readOf(pool)).told).toEqual(["PAUSED"]);
    await sendTo(anvil, pool, "setStatus", [1, true]);
    expect((await readOf(pool)).told).toEqual([]);
  }
});

test("a pool that comes to be hooked or no operator goes at the next block", async () => {
  const source = eulerSwap(world.record);
  const pool = await create();
  const [read] = await source.sync(anvil.reader, [refOf(pool)], await anvil.mine());
  await configure(anvil, pool, { ...terms, hooked: 1 });
  expect(await source.refresh!(anvil.reader, [read!], await anvil.mine())).toEqual([]);
  await configure(anvil, pool, terms);
  expect(await source.refresh!(anvil.reader, [read!], await anvil.mine())).toEqual([read]);
  await sendTo(anvil, pool, "setStatus", [1, false]);
  expect(await source.refresh!(anvil.reader, [read!], await anvil.mine())).toEqual([]);
});

test("lying, empty and absurd answers leave a pool out with a reason, and throw nothing", async () => {
  // In order: curve, assets, fixed terms, terms of version 1, of version 2, reserves, limits both ways.
  const pool = await create();
  const absurd: readonly Hex[] = ["0x", words(0n), words(MAX_UINT256), words(...Array<bigint>(13).fill(MAX_UINT256))];
  for (const index of [0, 1, 2, 4, 5]) {
    for (const answer of [undefined, ...absurd]) {
      const { state, told } = await readOf(pool, answering(index, answer));
      expect(state, `${index} ${answer}`).toBeUndefined();
      expect(told, `${index} ${answer}`).toEqual([
        index === 0 ? "UNKNOWN_VERSION" : expect.stringMatching(/^(NOT_READABLE|UNKNOWN_HOOKS)$/),
      ]);
    }
  }
  for (const index of [6, 7]) {
    expect((await readOf(pool, answering(index, undefined))).told).toEqual(["NOT_READABLE"]);
    // Limits without end ask the pool's own quote for more than it has.
    const endless = await readOf(pool, answering(index, words(MAX_UINT256, MAX_UINT256)));
    expect(endless.told).toEqual(["UNKNOWN_VERSION"]);
  }
  const below = words(999n * ONE, 1_999n * ONE, 1n);
  expect((await readOf(pool, answering(5, below))).told).toEqual(["NOT_READABLE"]);
});

test("a pool that quotes otherwise than we compute is left out and told", async () => {
  const pool = await create();
  let batch = 0;
  const lying: ChainReader = {
    ...anvil.reader,
    calls: async (...[calls, block]: Parameters<ChainReader["calls"]>) => {
      const answers = await anvil.reader.calls(calls, block);
      return batch++ === 0 ? answers : answers.map((own) => words(BigInt(own ?? 0) + 1n));
    },
  };
  expect((await readOf(pool, lying)).told).toEqual(["UNKNOWN_VERSION"]);
});

test("less than the limits is served, by a thousandth and version 2's fee, and a least reserve counts", async () => {
  const { state } = await readOf(await create({ minReserves: [900n * ONE, 0n] }));
  // Fees of 0.1 % and 0.2 % off 399.6 and 599.4.
  expect(state?.maxIn).toEqual([3_992_004n * 10n ** 14n, 5_982_012n * 10n ** 14n]);
  expect((await readOf(await create({ version: "v1" }))).state?.maxIn).toEqual([
    3_996n * 10n ** 17n,
    5_994n * 10n ** 17n,
  ]);
  expect(state?.maxOut).toEqual([(100n * ONE * 999n) / 1_000n, (900n * ONE * 999n) / 1_000n]);
});

test("what was left in a pool is the next trade's, and takes nothing from it", async () => {
  for (const version of ["v1", "v2"] as const) {
    const pool = await create({ version, reserves: [1_001n * ONE, 2_003n * ONE] });
    const { state } = await readOf(pool);
    const quote = eulerSwapMath.quoteExactIn(state!, { sell: 0, buy: 1 }, ONE, 0n);
    if (isRejection(quote)) throw new Error(quote.rejected);
    expect(quote.amount).toBeGreaterThan(5n * ONE);
    await anvil.send(tokens[0], transferData(pool, 5n));
    await tradeWith(anvil, { pool, tokens }, { sell: 0, sold: ONE, bought: quote.amount });
    const after = (await readOf(pool)).state;
    expect(after?.reserves[1]).toBe(quote.next.reserves[1]);
    expect(after!.reserves[0] - quote.next.reserves[0]).toBeLessThanOrEqual(5n);
    const curve = eulerSwapMath.curve(state!, { sell: 0, buy: 1 }, 0n)!;
    const spot = eulerSwapMath.spotPrice(state!, { sell: 0, buy: 1 }, 0n)!;
    expect(curve.marginalRate(0) / (Number(spot.num) / Number(spot.den))).toBeCloseTo(1, 9);
  }
});

test("the account of a pool of version 2, which may move its terms, is its controller; version 1's are fixed", async () => {
  const source = eulerSwap(world.record);
  for (const [version, controllers] of [
    ["v2", [anvil.account]],
    ["v1", undefined],
  ] as const) {
    const pool = await create({ version });
    const { pool: read } = await readOf(pool);
    expect(read?.controllers).toEqual(controllers);
    expect((await source.refresh!(anvil.reader, [read!], await anvil.mine()))[0]?.controllers).toEqual(controllers);
  }
});

test("an action names the pool", async () => {
  const pool = await create();
  const source = eulerSwap(world.record);
  const { pool: read } = await readOf(pool);
  const fill = { poolId: pool, source: "EulerSwap", sellToken: tokens[0], buyToken: tokens[1], gas: 0n, share: 1n };
  expect(source.action(read!, { ...fill, sellAmount: 1n, buyAmount: 1n })).toEqual({ action: "euler-swap-pool", pool });
  expect(source.fillData(read!)).toEqual({ poolAddress: pool });
});
