import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Abi, encodeFunctionData, erc20Abi, type Hex, numberToHex, pad } from "viem";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Address, NATIVE_TOKEN, toAddress } from "../../../src/domain/address.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { stableswapMath } from "../../../src/pools/stableswap/math.ts";
import { pancakeStableswap } from "../../../src/venues/pancake-stableswap/source.ts";
import { type Anvil, startAnvil } from "../worlds/anvil.ts";
import { pancakeStableCall } from "../worlds/curve/pancake-stableswap.ts";
import { mintedToken } from "../worlds/traffic/minted-tokens.ts";
import { createRandom } from "../worlds/traffic/random.ts";

/**
 * Pools with the makers' own code, Lista's behind a proxy of OpenZeppelin's. ABI and bytecode are no part of the project: the
 * folder of another team's data has them in `contracts/pancake-stableswap`, or the test is left out.
 */
const folder = join(process.env.FOREIGN_DATA ?? "", "contracts/pancake-stableswap");
const contract = (name: string) =>
  JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as { readonly abi: Abi; readonly bytecode: Hex };

const EXCHANGES = 300;
/** After so many the pool is as it was at first. */
const FRESH_EVERY = 20;
const ONE = 10n ** 18n;
/** Answers each call with the word in the storage slot that its argument names: an oracle. */
const ORACLE = "0x60043554" + "60005260206000f3";
/** Answers each call with zero: shares that nobody has. */
const SHARES = "0x600060005260206000f3";

vi.setConfig({ testTimeout: 3_600_000 });

let anvil: Anvil;
const [oracle, shares] = [toAddress(`0x${"0c".repeat(20)}`), toAddress(`0x${"5a".repeat(20)}`)];

interface TestPool {
  readonly address: Address;
  readonly tokens: readonly Address[];
  readonly wholes: readonly bigint[];
}

async function setPrice(token: Address, price: bigint): Promise<void> {
  await anvil.rpc("anvil_setStorageAt", [oracle, pad(token), numberToHex(price, { size: 32 })]);
}

async function fill({ address, tokens, wholes }: TestPool, abi: Abi): Promise<void> {
  for (const token of tokens) {
    if (token === NATIVE_TOKEN) continue;
    const args = [address, (1n << 256n) - 1n] as const;
    await anvil.send(token, encodeFunctionData({ abi: erc20Abi, functionName: "approve", args }));
  }
  const amounts = wholes.map((whole, i) => BigInt(1_000 + 40 * i) * whole);
  const data = encodeFunctionData({ abi, functionName: "add_liquidity", args: [amounts, 0n] });
  await anvil.send(address, data, tokens.includes(NATIVE_TOKEN) ? amounts[tokens.indexOf(NATIVE_TOKEN)] : 0n);
}

async function tokensOf(decimals: readonly (number | "native")[]) {
  const made: { token: Address; whole: bigint }[] = [];
  for (const each of decimals)
    made.push(
      each === "native"
        ? { token: NATIVE_TOKEN, whole: ONE }
        : { token: await mintedToken(anvil, each), whole: 10n ** BigInt(each) },
    );
  made.sort((one, other) => (one.token < other.token ? -1 : 1));
  return { tokens: made.map(({ token }) => token), wholes: made.map(({ whole }) => whole) };
}

async function pancakePool(decimals: readonly (number | "native")[], a: bigint, fee: bigint): Promise<TestPool> {
  const { abi, bytecode } = contract(decimals.length === 2 ? "PancakeStableSwapTwoPool" : "PancakeStableSwapThreePool");
  const address = await anvil.deploy(abi, bytecode, []);
  const coins = await tokensOf(decimals);
  const args = [coins.tokens, a, fee, 5n * 10n ** 9n, anvil.account, shares];
  await anvil.send(address, encodeFunctionData({ abi, functionName: "initialize", args }));
  await fill({ address, ...coins }, abi);
  return { address, ...coins };
}

async function listaPool(decimals: readonly (number | "native")[], a: bigint, fee: bigint): Promise<TestPool> {
  const { abi, bytecode } = contract("StableSwapPool");
  const code = await anvil.deploy(abi, bytecode, [anvil.account]);
  const coins = await tokensOf(decimals);
  for (const token of coins.tokens) await setPrice(token, 10n ** 8n);
  const { account } = anvil;
  const args = [coins.tokens, a, fee, 5n * 10n ** 9n, account, account, account, shares, oracle];
  const data = encodeFunctionData({ abi, functionName: "initialize", args });
  const proxy = contract("ERC1967Proxy");
  const address = await anvil.deploy(proxy.abi, proxy.bytecode, [code, data]);
  await fill({ address, ...coins }, abi);
  return { address, ...coins };
}

describe.skipIf(!existsSync(folder))("with the contracts of its makers", () => {
  beforeAll(async () => {
    anvil = await startAnvil();
    await anvil.rpc("anvil_setCode", [oracle, ORACLE]);
    await anvil.rpc("anvil_setCode", [shares, SHARES]);
  });
  afterAll(() => anvil?.stop());

  test.each([
    ["PancakeSwap's two coins", () => pancakePool([18, 6], 1_000n, 4_000_000n)],
    ["PancakeSwap's native coin", () => pancakePool(["native", 18], 50n, 1_000_000n)],
    ["PancakeSwap's three coins", () => pancakePool([18, 6, 8], 300n, 1_000_000n)],
    ["Lista's two coins", () => listaPool([6, 18], 15n, 10_000n)],
    ["Lista's native coin", () => listaPool(["native", 18], 20n, 1_000_000n)],
  ] as const)("%s: exchanges are what is said, and what the check refuses is", async (name, create) => {
    const random = createRandom(2_801);
    const { address, tokens, wholes } = await create();
    const source = pancakeStableswap({
      ...{ protocol: "pancake-stableswap", source: "Lista", factory: address, fromBlock: 0n },
    });
    const ref = { id: address, address, tokens, terms: {} };
    const seen = { exchanges: 0, atCheck: 0, beyond: 0, refusedBeyond: 0 };
    await anvil.mine();
    let first = await anvil.rpc<Hex>("evm_snapshot");
    for (let round = 0; round < EXCHANGES; round++) {
      if (round > 0 && round % FRESH_EVERY === 0) {
        await anvil.rpc("evm_revert", [first]);
        first = await anvil.rpc<Hex>("evm_snapshot");
      }
      if (name.startsWith("Lista"))
        for (const token of tokens) await setPrice(token, 10n ** 8n + BigInt(random.int(-400_000, 400_000)));
      const head = await anvil.mine();
      const [pool] = await source.sync(anvil.reader, [ref], head);
      if (pool?.curve !== "stableswap") throw new Error("the pool cannot be read");
      const sell = random.int(0, tokens.length - 1);
      const buy = (sell + random.int(1, tokens.length - 1)) % tokens.length;
      const next = head.timestamp + 1n;
      const { maxSell } = stableswapMath.limits(pool.state, { sell, buy }, next);
      const most = 300n * (wholes[sell] as bigint);
      const isAtCheck = maxSell < most;
      const amount = isAtCheck && random.chance(0.5) ? maxSell : random.between(1n, (isAtCheck ? maxSell : most) + 1n);
      const call = (sold: bigint, least: bigint) =>
        pancakeStableCall("exchange", [BigInt(sell), BigInt(buy), sold, least]);
      const nativeIn = (sold: bigint) => (tokens[sell] === NATIVE_TOKEN ? sold : 0n);
      if (isAtCheck) {
        seen.beyond++;
        const sold = maxSell + maxSell / 50n + 1n;
        const [from, to, value] = [anvil.account, address, numberToHex(nativeIn(sold))];
        const tried = anvil.rpc("eth_call", [{ from, to, value, data: call(sold, 0n) }, "latest"]);
        await tried.catch(() => seen.refusedBeyond++);
      }
      const quote = stableswapMath.quoteExactIn(pool.state, { sell, buy }, amount, next);
      if (isRejection(quote)) continue;
      await anvil.rpc("evm_setNextBlockTimestamp", [Number(next)]);
      await anvil.send(address, call(amount, quote.amount), nativeIn(amount));
      const after = await source.sync(anvil.reader, [ref], await anvil.mine());
      expect(after).toEqual([{ ...pool, state: quote.next }]);
      seen.exchanges++;
      if (amount === maxSell) seen.atCheck++;
    }
    process.stdout.write(`${name}: ${JSON.stringify(seen)}\n`);
    expect(seen.exchanges).toBeGreaterThan(EXCHANGES / 3);
    if (!name.startsWith("Lista")) return;
    expect(seen.atCheck).toBeGreaterThan(10);
    expect(seen.refusedBeyond).toBe(seen.beyond);
  });
});
