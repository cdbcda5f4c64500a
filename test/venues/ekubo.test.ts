import { numberToHex } from "viem";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { bloomEntriesOf } from "../../src/chain/pools/found-pools.ts";
import { type Address, type Hex, NATIVE_TOKEN, ZERO_ADDRESS } from "../../src/domain/address.ts";
import type { ChainReader, Log } from "../../src/market/chain-reader.ts";
import { isStateLog, type PoolRef } from "../../src/market/liquidity-source.ts";
import type { EkuboState } from "../../src/pools/ekubo/state.ts";
import { configOfRange, configWithSpacing } from "../pools/ekubo/arbitrary-ekubo.ts";
import { testEkuboLogs } from "../support/suites/ekubo-logs.ts";
import { type Anvil, startAnvil } from "./worlds/anvil.ts";
import { deployEkubo, type EkuboWorld, LISTENER } from "./worlds/singletons/ekubo.ts";
import { deployTokens } from "./worlds/v3.ts";

vi.setConfig({ testTimeout: process.env.TRIBUTARY_LONG === "1" ? 3_600_000 : 180_000 });

let anvil: Anvil;
let world: EkuboWorld;

beforeAll(async () => {
  anvil = await startAnvil();
  world = await deployEkubo(anvil);
});
afterAll(() => anvil?.stop());

/** The config with an extension. */
const withExtension = (config: bigint, extension: bigint) => (extension << 96n) | config;

testEkuboLogs(() => ({ anvil, world }));

test("a log without a topic is a swap if it is Core's and as long as one", async () => {
  const { source, core } = world;
  const [a, b] = await deployTokens(anvil, [world.desk]);
  const ref = await world.create([a, b], configOfRange(3_000n, 0, 0), 0);
  await world.modify(ref, -88_722_835, 88_722_835, 10n ** 18n);
  const [pool] = await source.sync(anvil.reader, [ref], await anvil.mine());
  await world.swap(ref, true, 10n ** 15n);
  const block = await anvil.mine();
  const log = (await anvil.logsOf(block)).find(({ topics }) => topics.length === 0) as Log;
  expect(isStateLog(source, log)).toBe(true);
  expect(source.poolOf?.(log)).toBe(ref.id);
  expect(source.apply(pool!, log, block.timestamp)).not.toBe("resync");
  // A block is asked for its logs where its bloom has Core's address.
  expect(bloomEntriesOf([source])).toContain(core);
  const elsewhere = { ...log, address: a };
  expect(isStateLog(source, elsewhere)).toBe(false);
  expect(source.apply(pool!, elsewhere, block.timestamp)).toBe("resync");
  const longer = { ...log, data: `${log.data}00` as Hex };
  expect(source.poolOf?.(longer)).toBeUndefined();
  // Liquidity that no swap leads to, and a price that Core cannot keep.
  for (const [from, to] of [
    [-2, "01"],
    [-64, "ff"],
  ] as const) {
    const at = log.data.length + from;
    const data = `${log.data.slice(0, at)}${to}${log.data.slice(at + 2)}` as Hex;
    expect(source.apply(pool!, { ...log, data }, block.timestamp)).toBe("resync");
  }
});

test("pools whose extension is called in a swap are left out and counted, except those that the record names", async () => {
  const { source, core } = world;
  const tokens = await deployTokens(anvil, [world.desk]);
  const at = await anvil.mine();
  const counts = { served: 0, refused: 0 };
  const one = configWithSpacing(500n, 1_000);
  // The mark of a call is a bit of the address's first byte: beforeSwap is the second, afterSwap the third.
  for (const [config, reason] of [
    ...[0x80, 0x10, 0x08, 0x04, 0x02, 0x01].map(
      (bits) => [withExtension(one, BigInt(bits) << 152n), undefined] as const,
    ),
    [withExtension(one, 0x40n << 152n), "UNKNOWN_HOOKS"],
    [withExtension(one, 0x20n << 152n), "UNKNOWN_HOOKS"],
    [withExtension(one, BigInt(LISTENER) + 1n), "UNKNOWN_HOOKS"],
    [withExtension(one, BigInt(LISTENER)), undefined],
    [configWithSpacing(500n, 99), "NOT_READABLE"],
    [configWithSpacing(500n, 100), undefined],
  ] as const) {
    const pool = await world.create(tokens, config, 0);
    const logs = await anvil.reader.logs({
      ...{ addresses: [core], topics: source.creation?.topics ?? [] },
      ...{ fromBlock: at.number, to: await anvil.head() },
    });
    const log = logs.find(({ data }) => data.startsWith(pool.id))!;
    const what = numberToHex(config);
    expect(source.created?.(log)?.id, what).toBe(reason === undefined ? pool.id : undefined);
    expect(source.refused?.(log), what).toBe(reason);
    expect(await source.sync(anvil.reader, [pool], await anvil.head())).toHaveLength(reason === undefined ? 1 : 0);
    counts[reason === undefined ? "served" : "refused"]++;
  }
  expect(counts).toEqual({ served: 8, refused: 4 });
});

test("a reference must be the key's own, and native token is a key's zero address", async () => {
  const { source } = world;
  const [token] = await deployTokens(anvil, [world.desk]);
  const pool = await world.create([ZERO_ADDRESS, token], configWithSpacing(500n, 1_000), 0);
  expect(pool.tokens).toEqual([NATIVE_TOKEN, token]);
  const head = await anvil.head();
  expect(await source.sync(anvil.reader, [pool], head)).toHaveLength(1);
  for (const wrong of [
    { ...pool, terms: { ...pool.terms, config: String(configWithSpacing(501n, 1_000)) } },
    { ...pool, terms: { ...pool.terms, config: "-1" } },
    { ...pool, terms: { ...pool.terms, config: String(BigInt(pool.terms.config as string) + 2n ** 256n) } },
    { ...pool, terms: {} },
    { ...pool, tokens: pool.tokens.toReversed() },
    { ...pool, address: token as Address },
  ]) {
    expect(source.isSound?.(wrong)).toBe(false);
    expect(await source.sync(anvil.reader, [wrong], head)).toEqual([]);
  }
});

test("many pools are read together, each as if it were alone", async () => {
  const { source } = world;
  const tokens = await deployTokens(anvil, [world.desk]);
  const pools: PoolRef[] = [];
  for (let spacing = 100; spacing < 106; spacing++) {
    const pool = await world.create(tokens, configWithSpacing(3_000n, spacing), 0);
    await world.modify(pool, -10 * spacing, spacing * (spacing - 50), 10n ** 20n);
    pools.push(pool);
  }
  const at = await anvil.mine();
  const together = await source.sync(anvil.reader, pools, at);
  const alone = await Promise.all(pools.map((pool) => source.sync(anvil.reader, [pool], at)));
  expect(together).toEqual(alone.flat());
  expect(together).toHaveLength(pools.length);
});

test("bitmaps are scanned in few requests, near the price in one, and read word by word where no code is run", async () => {
  const { source } = world;
  const tokens = await deployTokens(anvil, [world.desk]);
  const pools: PoolRef[] = [];
  for (let fee = 1n; fee <= 4n; fee++) {
    const pool = await world.create(tokens, configWithSpacing(fee, 100), 0);
    await world.modify(pool, -88_722_800, 88_722_800, 10n ** 18n);
    await world.modify(pool, -100, 100 * Number(fee), 10n ** 18n);
    pools.push(pool);
  }
  const at = await anvil.mine();
  let asked = { scans: 0, slots: 0 };
  const scanning: ChainReader = {
    ...anvil.reader,
    run(data, { hash }) {
      asked.scans++;
      return anvil.rpc<Hex>("eth_call", [{ data, gas: numberToHex(10 ** 8) }, { blockHash: hash }]);
    },
    calls(calls, ...rest) {
      for (const { data } of calls) asked.slots += (data.length - 10) / 64;
      return anvil.reader.calls(calls, ...rest);
    },
  };
  const whole = await source.sync(scanning, pools, at);
  // 6,933 words of each in scans of 3,000, then heads and ticks by their slots.
  expect(asked).toEqual({ scans: 12, slots: 4 + 16 });
  expect(whole.map(({ state }) => (state as EkuboState).ticks.length)).toEqual([4, 4, 4, 4]);
  expect(await source.sync({ ...scanning, run: async () => undefined }, pools, at)).toEqual(whole);
  expect(asked.slots).toBeGreaterThan(4 * 6_933);

  asked = { scans: 0, slots: 0 };
  const near = (await source.near?.(scanning, pools, at)) ?? [];
  expect(asked).toEqual({ scans: 1, slots: 4 + 8 });
  expect(near).toEqual(
    whole.map((pool) => {
      const { ticks, ...state } = pool.state as EkuboState;
      return { ...pool, state: { ...state, ticks: ticks.slice(1, 3) } };
    }),
  );
});
