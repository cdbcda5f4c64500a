import { encodeAbiParameters, encodeFunctionData, erc20Abi, toFunctionSelector } from "viem";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Address, toAddress, ZERO_ADDRESS } from "../../../src/domain/address.ts";
import type { ChainReader } from "../../../src/market/chain-reader.ts";
import { curveCryptoswap } from "../../../src/venues/curve-cryptoswap/source.ts";
import { curveStableswap } from "../../../src/venues/curve-stableswap/source.ts";
import { type Anvil, startAnvil } from "../worlds/anvil.ts";
import { compiled } from "../worlds/compiled.ts";
import { deployCryptoswap, setCryptoswap } from "../worlds/curve/cryptoswap.ts";
import { deployStableswap, type StableswapPool, stableswapCall } from "../worlds/curve/stableswap.ts";
import { transferData } from "../worlds/traffic/minted-tokens.ts";

vi.setConfig({ testTimeout: 120_000 });

const list = compiled("PoolList");
const [STANDARD, ORACLE] = [0, 1];
const STRANGER = toAddress(`0x${"ab".repeat(20)}`);

let anvil: Anvil;
let factory: Address;
let registry: Address;
let provider: Address;
let ng: StableswapPool;
let rated: StableswapPool;
let old: StableswapPool;
let meta: StableswapPool;
let crypto: Address;

const call = (functionName: string, args: readonly unknown[]) =>
  encodeFunctionData({ abi: list.abi, functionName, args });
const nothingKnown = () => false;

async function filled(pool: StableswapPool): Promise<StableswapPool> {
  for (const [i, token] of pool.tokens.entries()) {
    await anvil.send(token, transferData(pool.address, 1_000_000n * 10n ** BigInt(pool.decimals[i] as number)));
    const approve = { abi: erc20Abi, functionName: "approve", args: [pool.address, (1n << 256n) - 1n] } as const;
    await anvil.send(token, encodeFunctionData(approve));
  }
  await anvil.send(pool.address, stableswapCall("add", []));
  return pool;
}

beforeAll(async () => {
  anvil = await startAnvil();
  const terms = { decimals: [6, 18], a: 300n, fee: 1_000_000n };
  [factory, registry, provider] = [
    await anvil.deploy(list.abi, list.bytecode),
    await anvil.deploy(list.abi, list.bytecode),
    await anvil.deploy(list.abi, list.bytecode),
  ];
  ng = await filled(await deployStableswap(anvil, { ...terms, ng: true, multiplier: 2n * 10n ** 10n }));
  rated = await filled(await deployStableswap(anvil, { ...terms, ng: true, multiplier: 2n * 10n ** 10n }));
  old = await filled(await deployStableswap(anvil, { ...terms, ng: false, multiplier: 0n }));
  const tokens = [old.tokens[0] as Address, ng.address];
  meta = await deployStableswap(anvil, { ...terms, decimals: [6, 18], ng: true, multiplier: 10n ** 10n, tokens });
  const pool = await deployCryptoswap(anvil, [6, 18]);
  crypto = pool.address;
  await setCryptoswap(anvil, pool, {
    ...{ balances: [10n ** 12n, 10n ** 24n], prices: [10n ** 18n], ann: 400_000n, gamma: 145n * 10n ** 12n },
    fees: [3_000_000n, 30_000_000n, 5n * 10n ** 15n],
  });
  await anvil.send(factory, call("add", [ng.address, [STANDARD, STANDARD], ZERO_ADDRESS]));
  await anvil.send(factory, call("add", [rated.address, [STANDARD, ORACLE], ZERO_ADDRESS]));
  await anvil.send(factory, call("add", [meta.address, [STANDARD, STANDARD], ng.address]));
  for (const each of [old.address, ng.address, crypto, STRANGER, ZERO_ADDRESS])
    await anvil.send(registry, call("add", [each, [], ZERO_ADDRESS]));
  await anvil.send(provider, call("set", [12n, factory]));
  await anvil.send(provider, call("set", [7n, registry]));
  await anvil.mine();
});
afterAll(() => anvil?.stop());

const stable = (lists: object) =>
  curveStableswap({ ...{ protocol: "curve-stableswap", source: "Curve", fromBlock: 0n }, pools: [], ...lists });
const cryptoswap = (lists: object) =>
  curveCryptoswap({ ...{ protocol: "curve-cryptoswap", source: "Curve_Crypto", fromBlock: 0n }, pools: [], ...lists });

test("pools of factories and registries are found, each once, with what it takes to read them", async () => {
  const source = stable({ lists: [factory, registry] });
  const at = await anvil.head();
  const found = await source.listed?.(anvil.reader, nothingKnown, at);
  expect(found?.pools.map(({ id }) => id)).toEqual([ng.address, rated.address, meta.address, old.address]);
  // Addresses that are no pool are counted; a crypto pool is another source's.
  expect([...(found?.unserved ?? [])]).toEqual([[STRANGER, "UNKNOWN_VERSION"]]);
  const terms = Object.fromEntries(found?.pools.map((ref) => [ref.id, ref.terms]) ?? []);
  expect(terms[ng.address]).toEqual({ generation: "ng", share: ng.address });
  expect(terms[meta.address]).toEqual({ generation: "ng", basePool: ng.address, share: meta.address });
  // The devnet's contract of the old kind tells rates as well.
  expect(terms[old.address]).toEqual({ generation: "old", share: old.share, controlled: "1" });
  // Somebody's oracle may change a rate at will: the operator has to name the pool.
  const pools = await source.sync(anvil.reader, found?.pools ?? [], at);
  const controllers = new Map(pools.map((pool) => [pool.id, pool.controllers]));
  expect([...controllers.keys()].sort()).toEqual([ng.address, rated.address, old.address].sort());
  expect(controllers.get(rated.address)).toEqual([rated.address]);
  expect(controllers.get(ng.address)).toBeUndefined();
  // Their terms are known from their first reading on.
  const read = await source.refresh?.(anvil.reader, pools, await anvil.mine());
  expect(read?.map(({ id, state }) => [id, state])).toEqual(pools.map(({ id, state }) => [id, state]));
  const first = pools.find(({ id }) => id === ng.address);
  if (first === undefined) throw new Error("the pool cannot be read");
  const fill = { poolId: first.id, source: "Curve", sellAmount: 1n, buyAmount: 1n, gas: 0n, share: 1n };
  const [coin, , share] = first.tokens as readonly [Address, Address, Address];
  expect(source.action(first, { ...fill, sellToken: coin, buyToken: share })).toEqual({
    ...{ action: "curve-add", pool: ng.address, coin: 0, coins: 2, amounts: "list" },
  });
});

test("an address provider names further lists, and registries may move what they list", async () => {
  const source = stable({ addressProvider: provider });
  const found = await source.listed?.(anvil.reader, nothingKnown, await anvil.head());
  expect(new Set(found?.pools.map(({ id }) => id))).toEqual(
    new Set([ng.address, rated.address, meta.address, old.address]),
  );
  // The registry takes its first pool out, and the last one has its number then.
  await anvil.send(registry, call("remove", [0n]));
  const added = await filled(
    await deployStableswap(anvil, { decimals: [18, 18], a: 100n, fee: 4_000_000n, ng: false, multiplier: 0n }),
  );
  await anvil.send(registry, call("add", [added.address, [], ZERO_ADDRESS]));
  const known = new Set(found?.pools.map(({ id }) => id));
  const later = await source.listed?.(anvil.reader, (id) => known.has(id) || id === STRANGER, await anvil.mine());
  expect(later?.pools.map(({ id }) => id)).toEqual([added.address]);
  expect(later?.unserved.size).toBe(0);
});

test("a list that does not answer is no empty list", async () => {
  await anvil.send(registry, call("silence", [true]));
  const at = await anvil.mine();
  await expect(stable({ lists: [registry] }).listed?.(anvil.reader, nothingKnown, at)).rejects.toThrow("pool_count");
  await anvil.send(registry, call("silence", [false]));
  await anvil.mine();
});

test("crypto pools are those of a version that is known", async () => {
  const source = cryptoswap({ lists: [registry] });
  const at = await anvil.head();
  const unknown = await source.listed?.(anvil.reader, nothingKnown, at);
  expect(unknown?.pools).toEqual([]);
  expect([...(unknown?.unserved ?? [])]).toEqual([[crypto, "UNKNOWN_VERSION"]]);
  for (const [version, isKnown] of [
    ["v2.0.0", true],
    ["2.1.0", true],
    ["v2.1.0d", false],
    ["v3.0.0", false],
  ] as const) {
    const found = await source.listed?.(versioned(version), nothingKnown, at);
    expect(found?.pools.length, version).toBe(isKnown ? 1 : 0);
    if (!isKnown) continue;
    const [pool] = await source.sync(anvil.reader, found?.pools ?? [], at);
    expect(pool?.tokens).toEqual(found?.pools[0]?.tokens);
  }
});

/** The devnet's contract has no word for its version: a reader that has one for it. */
function versioned(version: string): ChainReader {
  const selector = toFunctionSelector("version()");
  return {
    ...anvil.reader,
    async calls(calls, block) {
      const answers = await anvil.reader.calls(calls, block);
      return answers.map((answer, i) =>
        calls[i]?.to === crypto && calls[i]?.data === selector
          ? encodeAbiParameters([{ type: "string" }], [version])
          : answer,
      );
    },
  };
}
