import { concat, encodeFunctionData, erc20Abi, type Hex, keccak256 } from "viem";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Address } from "../../src/domain/address.ts";
import type { PoolRef } from "../../src/market/liquidity-source.ts";
import { curveOf } from "../../src/pools/pool.ts";
import { strategyOf } from "../../src/venues/aqua/order.ts";
import { aqua } from "../../src/venues/aqua/source.ts";
import { MAX_WALLETS } from "../../src/venues/aqua/wallets.ts";
import { sourceContract } from "../market/liquidity-source.suite.ts";
import { type Anvil, startAnvil } from "./worlds/anvil.ts";
import { compiled } from "./worlds/compiled.ts";
import {
  type AquaWorld,
  approveAs,
  deployAqua,
  instruction,
  instructionOf,
  type StrategyTerms,
  sendAs,
  ship,
  sortedTokens,
  swapData,
  USES_AQUA,
} from "./worlds/singletons/aqua.ts";
import { mintedToken, setBalance } from "./worlds/traffic/minted-tokens.ts";
import { createRandom } from "./worlds/traffic/random.ts";

const BLOCKS = process.env.TRIBUTARY_LONG === "1" ? 300 : 30;
const UNIT = 10n ** 18n;
const WITHOUT_END = (1n << 256n) - 1n;

vi.setConfig({ testTimeout: process.env.TRIBUTARY_LONG === "1" ? 3_600_000 : 180_000 });

let anvil: Anvil;
let world: AquaWorld;
let tokens: [Address, Address];
let salt = 0n;
beforeAll(async () => {
  anvil = await startAnvil();
  world = await deployAqua(anvil);
  ({ tokens } = await sortedTokens(anvil, [18, 18]));
});
afterAll(() => anvil?.stop());

/** A strategy of a constant product, or of other instructions behind a salt. */
const create = (changes: Partial<StrategyTerms> = {}, parts: readonly Hex[] = [instruction.product()]) =>
  ship(anvil, world, {
    ...{ tokens, amounts: [1_000n * UNIT, 2_000n * UNIT], wallets: [5_000n * UNIT, 5_000n * UNIT] },
    data: concat([instruction.salt(++salt), ...parts]),
    ...changes,
  });

async function readOf(ref: PoolRef, reader = anvil.reader) {
  const told: string[] = [];
  const [read] = await aqua(world.record).sync(reader, [ref], await anvil.mine(), (_, reason) => told.push(reason));
  if (read !== undefined && read.curve !== "aqua") throw new Error("another curve");
  return { pool: read, state: read?.state, told };
}

/** Strategies that the newest block announces, and why others are refused. */
async function announcedNow(source = aqua(world.record)) {
  const logs = await anvil.logsOf(await anvil.head());
  return {
    created: logs.flatMap((log) => source.created?.(log) ?? []),
    refused: logs.flatMap((log) => source.refused?.(log) ?? []),
  };
}

test("strategies are announced by Aqua, and follow swaps, gifts, wallets, allowances and their end, block by block", async () => {
  const shipped = [
    await create(),
    await create({}, [instruction.protocolFee(1_000_000n, world.record.aqua), instruction.product()]),
    await create({}, [instruction.range(UNIT, 3n * UNIT), instruction.flatFee(3_000_000n), instruction.product()]),
    await create({}, [instruction.pegged(1_000n * UNIT, 2_000n * UNIT, 10n ** 27n, 1n, 1n)]),
  ];
  const start = await anvil.mine();
  const random = createRandom(83);
  const { record, maker } = world;
  let isDocked = false;
  const act = async () => {
    const { order, hash } = random.pick(shipped);
    const kind = random.int(0, 7);
    if (kind === 0) await setBalance(anvil, tokens[random.int(0, 1)]!, maker, random.between(1n, 9_000n * UNIT));
    else if (kind === 1) {
      const allowed = random.chance(0.5) ? WITHOUT_END : random.between(1n, 9_000n * UNIT);
      await approveAs(anvil, maker, tokens[random.int(0, 1)]!, record.aqua, allowed);
    } else if (kind === 2) {
      await approveAs(anvil, anvil.account, tokens[0], record.aqua, WITHOUT_END);
      const args = [maker, record.router, hash, tokens[0], UNIT];
      await sendAs(anvil, anvil.account, record.aqua, { functionName: "push", args });
    } else if (kind === 3 && !isDocked) {
      isDocked = true;
      const args = [record.router, shipped[3]!.hash, tokens];
      await sendAs(anvil, maker, record.aqua, { functionName: "dock", args });
    } else {
      const sell = random.int(0, 1);
      const amount = random.between(10n ** 12n, 20n * UNIT);
      await anvil.send(record.router, swapData(order, { tokens, sell, amount, isExactIn: random.chance(0.5) }));
    }
    return anvil.mine();
  };
  const { refs, applied } = await sourceContract({
    ...{ source: aqua(record), reader: anvil.reader, start, blocks: BLOCKS, act, logsOf: anvil.logsOf, rereads: true },
  });
  expect(refs.map(({ id }) => id)).toEqual(shipped.map(({ hash }) => hash));
  expect(applied.size).toBe(isDocked ? 3 : 2);
});

describe("an announcement", () => {
  test("makes a strategy once both of its tokens were told, in any order", async () => {
    const { ref } = await create({ tokens: [tokens[1], tokens[0]] });
    const { created, refused } = await announcedNow();
    expect(created).toEqual([ref]);
    expect(ref.tokens).toEqual(tokens);
    expect(refused).toEqual([]);
  });

  test.each<[string, readonly Hex[], string]>([
    ["a token that the sender has to have", [instructionOf(0x21, `0x${"11".repeat(20)}`)], "UNKNOWN_VERSION"],
    ["another contract's part in it", [instructionOf(0x20, `0x${"11".repeat(20)}`)], "UNKNOWN_VERSION"],
  ])("of a program with %s is refused and counted", async (_, parts, reason) => {
    await create({}, [...parts, instruction.product()]);
    expect(await announcedNow()).toEqual({ created: [], refused: [reason] });
  });

  test.each([
    ["hooks", USES_AQUA | (1n << 250n), ["UNKNOWN_HOOKS"]],
    ["another receiver", USES_AQUA | 7n, ["UNKNOWN_VERSION"]],
    ["a maker's signature", 0n, ["UNKNOWN_VERSION"]],
    ["data before its program", USES_AQUA | (3n << 160n), ["UNKNOWN_VERSION"]],
  ])("of an order with %s is refused and counted", async (_, traits, refused) => {
    await create({ traits });
    expect(await announcedNow()).toEqual({ created: [], refused });
  });

  test("by another than the order's maker, for another router, or of other bytes than an order's is none", async () => {
    const { record } = world;
    const order = { maker: world.maker, traits: USES_AQUA, data: instruction.product() };
    const shipping = (app: Address, strategy: Hex) =>
      sendAs(anvil, anvil.account, record.aqua, { functionName: "ship", args: [app, strategy, tokens, [1n, 1n]] });
    await shipping(record.router, strategyOf(order));
    await shipping(record.aqua, strategyOf({ ...order, maker: anvil.account }));
    await shipping(record.router, `${strategyOf({ ...order, maker: anvil.account })}00`);
    await shipping(record.router, "0x");
    await anvil.mine();
    expect(await announcedNow()).toEqual({ created: [], refused: [] });
  });

  test.each([1, 3])("is remembered behind those of forty blocks where all three logs have come: %i", async (told) => {
    const { ref } = await create();
    const logs = await anvil.logsOf(await anvil.head());
    const source = aqua(world.record);
    const [first, ...others] = logs;
    source.created?.(first!);
    for (let block = 0n; block < 40n; block++)
      for (const log of logs.slice(0, told)) source.created?.({ ...log, blockHash: keccak256(`0x${block + 10n}`) });
    expect(others.flatMap((log) => source.created?.(log) ?? [])).toHaveLength(told === 3 ? 1 : 0);
    expect(logs.flatMap((log) => source.created?.(log) ?? [])).toEqual([ref]);
  });
});

describe("a strategy is left out and told", () => {
  test("where it has a third token", async () => {
    const third = await mintedToken(anvil, 18);
    const order = {
      maker: world.maker,
      traits: USES_AQUA,
      data: concat([instruction.salt(++salt), instruction.product()]),
    };
    const args = [world.record.router, strategyOf(order), [...tokens, third], [UNIT, UNIT, UNIT]];
    await sendAs(anvil, world.maker, world.record.aqua, { functionName: "ship", args });
    await anvil.mine();
    const { created } = await announcedNow();
    expect((await readOf(created[0]!)).told).toEqual(["UNKNOWN_VERSION"]);
  });

  test("where the router belongs to another Aqua", async () => {
    const { ref } = await create();
    const other = await deployAqua(anvil);
    const told: string[] = [];
    const source = aqua({ ...world.record, router: other.record.router });
    await source.sync(anvil.reader, [ref], await anvil.mine(), (_, reason) => told.push(reason));
    expect(told).toEqual(["UNKNOWN_VERSION"]);
  });
});

/** A strategy after a log of docking some tokens, and as it is read then. */
async function docked({ ref, hash }: Awaited<ReturnType<typeof create>>, of: readonly Address[]) {
  const { pool } = await readOf(ref);
  const { aqua: to, router } = world.record;
  await sendAs(anvil, world.maker, to, { functionName: "dock", args: [router, hash, of] });
  const [log] = await anvil.logsOf(await anvil.mine());
  return { applied: aqua(world.record).apply(pool!, log!, 0n), read: await readOf(ref) };
}

test("a strategy that is docked pays nothing for good; one of which no token was docked goes on, whatever was said", async () => {
  const [ended, other] = [await docked(await create(), tokens), await docked(await create(), [])];
  expect([ended.applied, other.applied]).toEqual(["resync", "resync"]);
  expect(ended.read.told).toEqual([]);
  expect(ended.read.state).toMatchObject({ balances: [0n, 0n], wallets: [0n, 0n], allowances: [0n, 0n] });
  expect(curveOf(ended.read.pool!).isPaused?.(ended.read.pool!.state)).toBe(true);
  expect(other.read.state?.balances).toEqual([1_000n * UNIT, 2_000n * UNIT]);
});

test("a strategy that is given more than 128 bits is read anew, and left out", async () => {
  const { ref, hash } = await create();
  const { pool } = await readOf(ref);
  await setBalance(anvil, tokens[0], anvil.account, 1n << 129n);
  await approveAs(anvil, anvil.account, tokens[0], world.record.aqua, WITHOUT_END);
  const args = [world.maker, world.record.router, hash, tokens[0], 1n << 128n];
  await sendAs(anvil, anvil.account, world.record.aqua, { functionName: "push", args });
  const log = (await anvil.logsOf(await anvil.mine())).find(({ address }) => address === world.record.aqua);
  expect(aqua(world.record).apply(pool!, log!, 0n)).toBe("resync");
  expect((await readOf(ref)).told).toEqual(["NOT_READABLE"]);
});

test("a reference is sound only as the hash of its order", async () => {
  const { ref } = await create();
  const source = aqua(world.record);
  expect(source.isSound?.(ref)).toBe(true);
  for (const changes of [
    { tokens: [tokens[1], tokens[0]] },
    { tokens: [tokens[0], tokens[0]] },
    { id: keccak256("0x01") },
    { terms: { ...ref.terms, traits: "0x1" } },
    { terms: { ...ref.terms, program: "0x" } },
    { terms: {} },
  ])
    expect(source.isSound?.({ ...ref, ...changes })).toBe(false);
});

test("a token that does not answer, or answers with more than a number, counts as nothing that the maker has", async () => {
  const { ref } = await create();
  for (const answer of [undefined, "0x", `0x${"ff".repeat(31)}`] as const) {
    let batch = 0;
    const lying = {
      ...anvil.reader,
      calls: async (...[calls, block]: Parameters<typeof anvil.reader.calls>) => {
        const answers = await anvil.reader.calls(calls, block);
        return batch++ === 0 ? answers : answers.map(() => answer);
      },
    };
    expect((await readOf(ref, lying)).state).toMatchObject({ wallets: [0n, 0n], allowances: [0n, 0n] });
  }
});

test("wallets are read once however many strategies share them, and the best funded where there are too many", async () => {
  const { ref } = await create();
  const { pool, state } = await readOf(ref);
  const many = Array.from({ length: MAX_WALLETS + 10 }, (_, index) => ({
    ...pool!,
    id: keccak256(`0x${index.toString(16).padStart(8, "0")}`),
    state: {
      ...state!,
      maker: `0x${(index + 1).toString(16).padStart(40, "0")}` as Address,
      wallets: [BigInt(index), 0n] as const,
    },
  }));
  const asked: (string | undefined)[] = [];
  const counting = {
    ...anvil.reader,
    calls: async (...[calls]: Parameters<typeof anvil.reader.calls>) => {
      asked.push(...calls.map(({ data }) => data));
      return calls.map((): Hex => `0x${"0".repeat(63)}9`);
    },
  };
  const source = aqua(world.record);
  const twins = many.map((one) => ({ ...one, id: `${one.id}00` as Hex }));
  const read = await source.refresh!(counting, [...many, ...twins], await anvil.head());
  expect(asked).toHaveLength(2 * MAX_WALLETS);
  const walletsOf = (index: number) => (read[index]?.curve === "aqua" ? read[index].state.wallets[0] : undefined);
  expect([walletsOf(0), walletsOf(many.length - 1)]).toEqual([0n, 9n]);
});

test("an action names the order, and the data of a fill the strategy", async () => {
  const { ref, order } = await create();
  const source = aqua(world.record);
  const { pool } = await readOf(ref);
  const fill = { poolId: ref.id, source: "Aqua", sellToken: tokens[0], buyToken: tokens[1], gas: 0n, share: 1n };
  const { router } = world.record;
  expect(source.action(pool!, { ...fill, sellAmount: 1n, buyAmount: 1n })).toEqual({
    ...{ action: "aqua-order", router },
    ...order,
  });
  expect(source.fillData(pool!)).toEqual({ router, strategyHash: ref.id, maker: world.maker });
});

test("what another's strategy counts is none of its own", async () => {
  const [one, other] = [await create(), await create()];
  const { pool } = await readOf(one.ref);
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [world.record.aqua, WITHOUT_END] });
  await anvil.send(tokens[0], data);
  const push = { abi: compiled("DevnetAqua").abi, functionName: "push" } as const;
  const args = [world.maker, world.record.router, other.hash, tokens[0], UNIT];
  await anvil.send(world.record.aqua, encodeFunctionData({ ...push, args }));
  const [log] = (await anvil.logsOf(await anvil.mine())).filter(({ address }) => address === world.record.aqua);
  const source = aqua(world.record);
  expect(source.poolOf?.(log!)).toBe(other.hash);
  expect(source.apply(pool!, log!, 0n)).toBe("resync");
});
