import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Address, Hex } from "../../src/domain/address.ts";
import { dodoMath } from "../../src/pools/dodo/math.ts";
import { isRejection } from "../../src/pools/pool-math.ts";
import { dodo } from "../../src/venues/dodo/source.ts";
import { sourceContract } from "../market/liquidity-source.suite.ts";
import { type Anvil, startAnvil } from "./worlds/anvil.ts";
import {
  type DodoTerms,
  type DodoWorld,
  deployDodo,
  MAINTAINER,
  sellAt,
  sendTo,
  tokensOf,
} from "./worlds/singletons/dodo.ts";
import { allow, setBalance, transferData } from "./worlds/traffic/minted-tokens.ts";
import { createRandom } from "./worlds/traffic/random.ts";

const BLOCKS = process.env.TRIBUTARY_LONG === "1" ? 300 : 30;
const ONE = 10n ** 18n;

vi.setConfig({ testTimeout: process.env.TRIBUTARY_LONG === "1" ? 3_600_000 : 180_000 });

let anvil: Anvil;
let world: DodoWorld;
let tokens: [Address, Address];
beforeAll(async () => {
  anvil = await startAnvil();
  world = await deployDodo(anvil);
  tokens = await tokensOf(anvil, [18, 18]);
});
afterAll(() => anvil?.stop());

const create = (terms: Partial<DodoTerms> = {}) =>
  world.create({
    ...{ kind: "DPP", tokens, balances: [1_000n * ONE, 2_000n * ONE], i: 2n * ONE, k: 10n ** 17n },
    ...{ lpFee: 2n * 10n ** 15n, maintainerFee: 5n * 10n ** 14n, ...terms },
  });
const refOf = (pool: Address) => ({ id: pool, address: pool, tokens, terms: {} });

async function readOf(pool: Address, reader = anvil.reader) {
  const told: string[] = [];
  const [read] = await dodo(world.record).sync(reader, [refOf(pool)], await anvil.mine(), (_, reason) =>
    told.push(reason),
  );
  if (read !== undefined && read.curve !== "dodo") throw new Error("another curve");
  return { state: read?.state, told };
}

test("pools are announced by factories, and follow trades, resets and fees, block by block", async () => {
  const pools: Address[] = [];
  for (const kind of ["DVM", "DPP", "DSP"] as const) pools.push(await create({ kind }));
  const start = await anvil.mine();
  const random = createRandom(79);
  const source = dodo(world.record);
  const act = async () => {
    const pool = random.pick(pools);
    const kind = random.int(0, 6);
    if (kind === 0) {
      // The fee model moves without a log, and so may the owner of a private pool.
      await sendTo(anvil, pool, "setFees", [
        BigInt(random.int(0, 5)) * 10n ** 15n,
        `0x${"00".repeat(20)}`,
        BigInt(random.int(0, 9)) * 10n ** 14n,
      ]);
    } else if (kind === 1) {
      await sendTo(anvil, pool, "reset", [10n ** 15n, 2n * ONE + BigInt(random.int(0, 10 ** 9)), 10n ** 17n]);
    } else {
      const sell = random.int(0, 1);
      await anvil.send(tokens[sell]!, transferData(pool, random.between(10n ** 12n, 20n * ONE)));
      await sendTo(anvil, pool, sell === 0 ? "sellBase" : "sellQuote", [anvil.account]);
    }
    return anvil.mine();
  };
  const { refs } = await sourceContract({
    ...{ source, reader: anvil.reader, start, blocks: BLOCKS, act, logsOf: anvil.logsOf },
  });
  expect(refs.map(({ id }) => id)).toEqual(pools);
});

test("a pool with a fee of its own for a trader, of another version or with other tokens is left out and told", async () => {
  const pool = await create();
  const answering = (index: number, answer: Hex) => ({
    ...anvil.reader,
    calls: async (...[calls, block]: Parameters<typeof anvil.reader.calls>) =>
      (await anvil.reader.calls(calls, block)).map((own, i) => (i === index ? answer : own)),
  });
  const words = (...values: readonly bigint[]): Hex =>
    `0x${values.map((value) => value.toString(16).padStart(64, "0")).join("")}`;
  expect((await readOf(pool, answering(2, words(0n, 1n)))).told).toEqual(["UNKNOWN_VERSION"]);
  const oracle = BigInt(`0x${Buffer.from("DPP Oracle 1.0.0").toString("hex").padEnd(64, "0")}`);
  expect((await readOf(pool, answering(3, words(32n, 16n, oracle)))).told).toEqual(["UNKNOWN_VERSION"]);
  expect((await readOf(pool, answering(4, "0x"))).told).toEqual(["NOT_READABLE"]);
  expect((await readOf(pool, answering(5, words(1n)))).told).toEqual(["NOT_READABLE"]);
  expect((await readOf(pool, answering(0, "0x"))).told).toEqual(["NOT_READABLE"]);
  expect((await readOf(pool)).told).toEqual([]);
});

test("a pool that pays otherwise than we compute is left out and told", async () => {
  const pool = await create();
  let batch = 0;
  const lying = {
    ...anvil.reader,
    calls: async (...[calls, block]: Parameters<typeof anvil.reader.calls>) => {
      const answers = await anvil.reader.calls(calls, block);
      return batch++ === 0 ? answers : answers.map(() => `0x${"1".padStart(128, "0")}` as const);
    },
  };
  expect((await readOf(pool, lying)).told).toEqual(["UNKNOWN_VERSION"]);
});

test("what was given to a pool adds to the next sale, and never takes from it", async () => {
  const pool = await create();
  const { state } = await readOf(pool);
  const quote = dodoMath.quoteExactIn(state!, { sell: 0, buy: 1 }, ONE, 0n);
  if (isRejection(quote)) throw new Error(quote.rejected);
  const at = { pool, tokens, reserves: state!.reserves };
  expect(await sellAt(anvil, at, { sell: 0, amount: ONE })).toBe(quote.amount);
  const given = { ...at, reserves: [state!.reserves[0] + 5n * ONE, state!.reserves[1]] };
  expect(await sellAt(anvil, given, { sell: 0, amount: ONE })).toBeGreaterThan(quote.amount);
  // Nothing is said of it: the reserves count.
  expect((await readOf(pool)).state).toEqual(state);
  await setBalance(anvil, tokens[0], pool, state!.reserves[0]);
});

test("the maintainer is paid its fee out of the pool", async () => {
  const pool = await create();
  const { state } = await readOf(pool);
  const quote = dodoMath.quoteExactIn(state!, { sell: 1, buy: 0 }, 3n * ONE, 0n);
  if (isRejection(quote)) throw new Error(quote.rejected);
  await allow(anvil, tokens[1], anvil.account, pool);
  await anvil.send(tokens[1], transferData(pool, 3n * ONE));
  await sendTo(anvil, pool, "sellQuote", [anvil.account]);
  expect((await readOf(pool)).state).toEqual(quote.next);
  expect(MAINTAINER).not.toBe(anvil.account);
});

test("a private pool's owner is its controller; the others have none", async () => {
  const source = dodo(world.record);
  for (const [kind, controllers] of [
    ["DPP", [anvil.account]],
    ["DVM", undefined],
    ["DSP", undefined],
  ] as const) {
    const pool = await create({ kind });
    const [read] = await source.sync(anvil.reader, [refOf(pool)], await anvil.mine());
    expect(read?.controllers).toEqual(controllers);
    expect((await source.refresh!(anvil.reader, [read!], await anvil.mine()))[0]?.controllers).toEqual(controllers);
  }
});

test("an action names the pool and its base token", async () => {
  const pool = await create();
  const source = dodo(world.record);
  const [read] = await source.sync(anvil.reader, [refOf(pool)], await anvil.mine());
  const fill = { poolId: pool, source: "DODO_V2", sellToken: tokens[0], buyToken: tokens[1], gas: 0n, share: 1n };
  expect(source.action(read!, { ...fill, sellAmount: 1n, buyAmount: 1n })).toEqual({
    ...{ action: "dodo-pool", pool, baseToken: tokens[0] },
  });
  expect(source.fillData(read!)).toEqual({ poolAddress: pool, baseToken: tokens[0] });
});
