import { toFunctionSelector } from "viem";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Address, type Hex, NATIVE_TOKEN } from "../../src/domain/address.ts";
import type { Call, ChainReader } from "../../src/market/chain-reader.ts";
import { kuru } from "../../src/venues/kuru/source.ts";
import { wordOf } from "../../src/venues/reading/words.ts";
import { sourceContract } from "../market/liquidity-source.suite.ts";
import { type Anvil, startAnvil } from "./worlds/anvil.ts";
import {
  accountCall,
  deployKuru,
  type KuruTerms,
  type KuruWorld,
  marketCall,
  marketOrder,
  paidAt,
  readMarket,
  refOf,
} from "./worlds/singletons/kuru.ts";
import { mintedToken } from "./worlds/traffic/minted-tokens.ts";
import { createRandom } from "./worlds/traffic/random.ts";

const BLOCKS = process.env.TRIBUTARY_LONG === "1" ? 300 : 30;

vi.setConfig({ testTimeout: process.env.TRIBUTARY_LONG === "1" ? 3_600_000 : 180_000 });

let anvil: Anvil;
let world: KuruWorld;
let tokens: readonly [Address, Address];
beforeAll(async () => {
  anvil = await startAnvil();
  world = await deployKuru(anvil);
  tokens = [await mintedToken(anvil, 18), await mintedToken(anvil, 6)];
});
afterAll(() => anvil?.stop());

const [MIDDLE, SIZE] = [2_000_000n, 10n ** 12n];
const VAULT = {
  ask: { price: 2n * 10n ** 16n + 10n ** 13n, size: SIZE },
  bid: { price: 2n * 10n ** 16n - 10n ** 13n, size: SIZE },
};
const create = (terms: Partial<KuruTerms> = {}) =>
  world.create({ tokens, precisions: [10n ** 10n, 10n ** 8n], takerFee: 10, spread: 50, ...terms });

/** A market with so many levels on either side, and a vault. */
async function filled(levels = 3, terms: Partial<KuruTerms> = {}): Promise<Address> {
  const market = await create(terms);
  for (let at = 1n; at <= levels; at++)
    for (const isBuy of [true, false])
      await world.order(market, { isBuy, price: MIDDLE + (isBuy ? -1n : 1n) * 2_000n * at, size: SIZE * at });
  await world.vault(market, VAULT);
  await anvil.mine();
  return market;
}

async function readOf(market: Address, reader: ChainReader = anvil.reader, of: readonly Address[] = tokens) {
  const told: string[] = [];
  const [read] = await kuru(world.record).sync(reader, [refOf(market, of)], await anvil.mine(), (_, reason) =>
    told.push(reason),
  );
  if (read !== undefined && read.curve !== "kuru") throw new Error("another curve");
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

test("markets are announced by the router, and follow trades, orders, the vault and pauses, block by block", async () => {
  const markets = [await filled(), await filled(5, { tokens: [NATIVE_TOKEN, tokens[1]] })];
  const pairs = [tokens, [NATIVE_TOKEN, tokens[1]]] as const;
  const start = await anvil.mine();
  const random = createRandom(83);
  const act = async () => {
    const which = random.int(0, 1);
    const [market, own] = [markets[which]!, pairs[which]!];
    const kind = random.int(0, 5);
    const state = await readMarket(anvil, world, market, own);
    if (kind === 0) {
      const isBuy = random.chance(0.5);
      const price = MIDDLE + (isBuy ? -1n : 1n) * BigInt(random.int(1, 9_000));
      await world.order(market, { isBuy, price, size: random.between(1n, SIZE) });
    } else if (kind === 1) {
      const [isBuy, side] = random.chance(0.5) ? ([true, "bidSide"] as const) : ([false, "askSide"] as const);
      const level = state[side].levels[0];
      if (level) await anvil.send(market, marketCall("removeLevel", [Number(level.price), isBuy]));
    } else if (kind === 2) await world.vault(market, VAULT);
    else {
      const sold = random.chance(0.5) ? 0 : 1;
      const amount = sold === 0 ? 10n ** 20n + BigInt(random.int(1, 10 ** 9)) : BigInt(random.int(10 ** 3, 10 ** 7));
      const { to, data, value } = marketOrder(market, { tokens: own, state, sold, amount });
      await anvil.send(to, data, value);
    }
    return anvil.mine();
  };
  const { refs, applied } = await sourceContract({
    ...{ source: kuru(world.record), reader: anvil.reader, start, blocks: BLOCKS, act, logsOf: anvil.logsOf },
    rereads: true,
  });
  expect(refs.map(({ id, tokens: pair }) => [id, pair])).toEqual(markets.map((id, at) => [id, pairs[at]]));
  expect(applied.size).toBe(4);
});

test("a market's terms, levels and vault are its own", async () => {
  const market = await filled(2);
  expect((await readOf(market)).state).toEqual({
    ...{ units: [10n ** 18n, 10n ** 6n], precisions: [10n ** 10n, 10n ** 8n], takerFee: 10, spread: 50 },
    bidSide: {
      levels: [
        { price: 1_998_000n, size: SIZE },
        { price: 1_996_000n, size: 2n * SIZE },
      ],
      vault: { ...VAULT.bid, filled: 0n },
    },
    askSide: {
      levels: [
        { price: 2_002_000n, size: SIZE },
        { price: 2_004_000n, size: 2n * SIZE },
      ],
      vault: { ...VAULT.ask, filled: 0n },
    },
  });
  expect((await readOf(await create())).state).toMatchObject({ bidSide: { levels: [] }, askSide: { levels: [] } });
});

test("levels are read as far as 24 on either side, and a market with as many says that there may be more", async () => {
  const { state } = await readOf(await filled(25));
  for (const side of [state?.bidSide, state?.askSide]) {
    expect(side?.levels).toHaveLength(24);
    expect(side?.more).toBe(true);
  }
});

test("a paused market is counted as paused, and served again once it is not", async () => {
  const market = await filled();
  const toggle = async (state: number) => anvil.send(market, marketCall("toggleMarket", [state]));
  await toggle(1);
  expect(await readOf(market)).toMatchObject({ state: undefined, told: ["PAUSED"] });
  await toggle(0);
  expect((await readOf(market)).told).toEqual([]);
});

test("no market is served while the protocol is paused, which none of them says, and all are again once it is not", async () => {
  const markets = [await filled(), await filled(2)];
  const refs = markets.map((market) => refOf(market, tokens));
  const source = kuru(world.record);
  const toggle = async (isPaused: boolean) => {
    await anvil.send(world.record.marginAccount, accountCall("toggleProtocolState", [isPaused]));
    return anvil.mine();
  };
  const read = await source.sync(anvil.reader, refs, await anvil.head());
  expect(read.map(({ id }) => id)).toEqual(markets);
  expect(await source.refresh?.(anvil.reader, read, await anvil.head())).toEqual(read);
  const state = await readMarket(anvil, world, markets[0]!, tokens);
  const order = marketOrder(markets[0]!, { tokens, state, sold: 0, amount: 10n ** 18n });
  expect(await paidAt(anvil, order)).toBeGreaterThan(0n);
  const paused = await toggle(true);
  const told: unknown[] = [];
  expect(await source.sync(anvil.reader, refs, paused, (...reason) => told.push(reason))).toEqual([]);
  expect(told).toEqual(markets.map((market) => [market, "PAUSED"]));
  expect(await source.refresh?.(anvil.reader, read, paused)).toEqual([]);
  expect(await paidAt(anvil, order)).toMatch(/44279255|ProtocolPaused/);
  expect(await source.sync(anvil.reader, refs, await toggle(false))).toEqual(read);
});

test("a pause is believed by its error alone: not where the margin account refuses otherwise, nor where no code is run", async () => {
  const market = await filled();
  const { run: _, ...withoutCode } = anvil.reader;
  const readers: readonly ChainReader[] = [
    withoutCode,
    ...([undefined, "0x", "0x08c379a0"] as const).map((answer) => ({ ...anvil.reader, run: async () => answer })),
  ];
  for (const reader of readers) expect((await readOf(market, reader)).told).toEqual([]);
});

test("native token that is counted in finer parts than there are is not served", async () => {
  const pair = [NATIVE_TOKEN, tokens[1]] as const;
  const fine = await create({ tokens: pair, precisions: [10n ** 19n, 10n ** 8n] });
  expect(await readOf(fine, anvil.reader, pair)).toMatchObject({ state: undefined, told: ["NOT_READABLE"] });
  expect((await readOf(await create({ precisions: [10n ** 19n, 10n ** 8n] }))).told).toEqual([]);
});

test("a market that answers nonsense is left out, and no other one with it", async () => {
  const market = await filled();
  const huge = `0x${"f".repeat(64 * 12)}` as const;
  const selector = (signature: string) => toFunctionSelector(signature);
  const book = (...words: readonly (number | bigint)[]): Hex =>
    `0x${[32, 32 * words.length, ...words].map(wordOf).join("")}`;
  const questions = ["marketState()", "getMarketParams()", "getVaultParams()", "getL2Book(uint32,uint32)"];
  const lies: readonly ChainReader[] = [
    ...questions.flatMap((question) =>
      [undefined, "0x00" as const, huge].map((answer) => answering(selector(question), () => answer)),
    ),
    answering(selector("verifiedMarket(address)"), () => `0x${wordOf(0).repeat(11)}`),
    // Without the zero between bids and asks, with two of these, cut within a level, and out of order.
    ...[book(1), book(1, 5, 5), book(1, 0, 0), book(1, 0, 5), book(1, 0, 5, 5, 4, 5), book(1, 4, 5, 5, 5, 0)].map(
      (answer) => answering(selector("getL2Book(uint32,uint32)"), () => answer),
    ),
    { ...anvil.reader, calls: async (calls) => calls.map(() => undefined) },
    { ...anvil.reader, calls: async (calls) => calls.map(() => huge) },
  ];
  for (const [at, reader] of lies.entries())
    expect(await readOf(market, reader), `${at}`).toMatchObject({ state: undefined, told: ["NOT_READABLE"] });
  const other = await filled();
  const reader: ChainReader = {
    ...anvil.reader,
    calls: async (calls, block) =>
      (await anvil.reader.calls(calls, block)).map((own, at) => (calls[at]!.to === market ? undefined : own)),
  };
  const refs = [refOf(market, tokens), refOf(other, tokens)];
  const read = await kuru(world.record).sync(reader, refs, await anvil.mine());
  expect(read.map(({ id }) => id)).toEqual([other]);
});

test("a market that the router does not know, or knows with other tokens, is none", async () => {
  const market = await filled();
  const other = await deployKuru(anvil);
  const [read] = await kuru(other.record).sync(anvil.reader, [refOf(market, tokens)], await anvil.mine());
  expect(read).toBeUndefined();
  const upsideDown = [tokens[1], tokens[0]];
  expect((await readOf(market, anvil.reader, upsideDown)).told).toEqual(["NOT_READABLE"]);
});

test("references have two tokens, the market for an id, and no terms", () => {
  const { isSound } = kuru(world.record);
  const ref = refOf(world.record.router, tokens);
  expect(isSound?.(ref)).toBe(true);
  for (const changed of [
    { tokens: [tokens[0]] },
    { tokens: [tokens[0], tokens[0]] },
    { id: "elsewhere" },
    { terms: { fee: "1" } },
  ])
    expect(isSound?.({ ...ref, ...changed })).toBe(false);
});

test("an action names the margin account, the market, its base token and what it counts", async () => {
  const market = await filled();
  const source = kuru(world.record);
  const { read } = await readOf(market);
  const [sellToken, buyToken] = tokens;
  const fill = { poolId: market, source: "Kuru", sellToken, buyToken, gas: 0n, share: 1n };
  expect(source.action(read!, { ...fill, sellAmount: 1n, buyAmount: 1n })).toEqual({
    ...{ action: "kuru-market", marginAccount: world.record.marginAccount, market, baseToken: tokens[0] },
    ...{ decimals: [18, 6], digits: [10, 8] },
  });
  expect(source.fillData(read!)).toEqual({ market, router: world.record.router, baseToken: tokens[0] });
  expect(source.apply(read!, { ...(await anvil.logsOf(await anvil.head()))[0]! }, 0n)).toBe("resync");
});
