import { encodeFunctionData, erc20Abi, type Hex } from "viem";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Address, NATIVE_TOKEN } from "../../src/domain/address.ts";
import type { Pool } from "../../src/pools/pool.ts";
import { isRejection } from "../../src/pools/pool-math.ts";
import { stableswapMath } from "../../src/pools/stableswap/math.ts";
import { curveStableswap } from "../../src/sources/curve-stableswap/source.ts";
import { countCases } from "../support/tried-cases.ts";
import { type Anvil, startAnvil } from "./anvil.ts";
import { deployStableswap, stableswapCall } from "./curve-world.ts";
import { mintedToken, transferData } from "./minted-tokens.ts";
import { createRandom } from "./random.ts";

/** Pools with the native token and metapools, traded in earnest. */

const LONG = Boolean(process.env.TRIBUTARY_LONG);
const EXCHANGES = LONG ? 7_000 : 60;
const ONE = 10n ** 18n;

vi.setConfig({ testTimeout: LONG ? 3_600_000 : 180_000 });

let anvil: Anvil;

beforeAll(async () => {
  anvil = await startAnvil();
});
afterAll(() => anvil?.stop());

async function approve(token: Address, pool: Address): Promise<void> {
  const args = [pool, (1n << 256n) - 1n] as const;
  await anvil.send(token, encodeFunctionData({ abi: erc20Abi, functionName: "approve", args }));
}

async function balanceOf(token: Address): Promise<bigint> {
  if (token === NATIVE_TOKEN) return BigInt(await anvil.rpc<Hex>("eth_getBalance", [anvil.account, "latest"]));
  return anvil.read<bigint>(token, erc20Abi, "balanceOf", [anvil.account]);
}

async function networkFee(hash: Hex): Promise<bigint> {
  const receipt = await anvil.rpc<{ gasUsed: Hex; effectiveGasPrice: Hex }>("eth_getTransactionReceipt", [hash]);
  return BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice);
}

/** Exchanges one after another, each quoted on what was read of the block before it. */
async function trade(
  source: ReturnType<typeof curveStableswap>,
  what: string,
  change: (round: number) => Promise<void>,
) {
  const random = createRandom(91);
  const tried = countCases("curve-stableswap", what, 91);
  const refs = source.fixed?.() ?? [];
  const seen = { exchanges: 0, forwards: 0 };
  for (let round = 0; round < EXCHANGES; round++) {
    await change(round);
    const head = await anvil.mine();
    const [pool] = await source.sync(anvil.reader, refs, head);
    if (pool?.curve !== "stableswap") throw new Error("the pool cannot be read");
    const sell = random.int(0, 1);
    const [sold, bought] = [pool.tokens[sell], pool.tokens[1 - sell]] as [Address, Address];
    const held = pool.state.balances[sell] as bigint;
    const amount = random.between(held / 10n ** 6n + 1n, held / 3n + 2n);
    const next = head.timestamp + 1n;
    const quote = stableswapMath.quoteExactIn(pool.state, { sell, buy: 1 - sell }, amount, next);
    if (isRejection(quote)) continue;
    const before = [await balanceOf(sold), await balanceOf(bought)] as const;
    const data = stableswapCall("exchange", [sell, 1 - sell, amount, quote.amount]);
    await anvil.rpc("evm_setNextBlockTimestamp", [Number(next)]);
    const hash = await anvil.send(pool.id as Address, data, sold === NATIVE_TOKEN ? amount : 0n);
    const after = await anvil.mine();
    const fee = await networkFee(hash);
    const [paid, taken] = [(await balanceOf(bought)) - before[1], before[0] - (await balanceOf(sold))];
    const [received, spent] = [paid + (bought === NATIVE_TOKEN ? fee : 0n), taken - (sold === NATIVE_TOKEN ? fee : 0n)];
    tried.same([quote.amount, amount], [received, spent]);
    expect(await source.sync(anvil.reader, refs, after)).toEqual([{ ...pool, state: quote.next } as Pool]);
    seen.exchanges++;
    seen.forwards += sell;
  }
  expect(seen.exchanges).toBeGreaterThan(EXCHANGES * 0.8);
  expect(seen.forwards).toBeGreaterThan(EXCHANGES / 4);
}

test("a pool with the native token takes what is sent along and pays it out", async () => {
  const token = await mintedToken(anvil, 18);
  const terms = { ng: false, decimals: [18, 18], a: 50n, fee: 4_000_000n, multiplier: 0n };
  const { address } = await deployStableswap(anvil, { ...terms, tokens: [NATIVE_TOKEN, token] });
  await anvil.send(address, "0x", 40_000n * ONE);
  await anvil.send(token, transferData(address, 55_000n * ONE));
  await anvil.send(address, stableswapCall("add", []));
  await approve(token, address);
  const source = curveStableswap({
    ...{ protocol: "curve-stableswap", source: "Curve", fromBlock: 0n },
    pools: [{ address, coins: [NATIVE_TOKEN, token], generation: "old" }],
  });
  await trade(source, "native-token", async () => {});
});

test.each(["old", "ng"] as const)(
  "a metapool of the %s kind follows the other pool's virtual price",
  async (generation) => {
    const random = createRandom(92);
    const [coin, share] = [await mintedToken(anvil, 6), await mintedToken(anvil, 18)];
    const ng = generation === "ng";
    const plain = { ng: false, decimals: [18, 18], a: 200n, fee: 1_000_000n, multiplier: 0n };
    const base = (await deployStableswap(anvil, plain)).address;
    const terms = { ng, decimals: [6, 18], a: 300n, fee: 4_000_000n, multiplier: ng ? 2n * 10n ** 10n : 0n };
    const { address } = await deployStableswap(anvil, { ...terms, tokens: [coin, share] });
    await anvil.send(address, stableswapCall("set_base_pool", [base]));
    await anvil.send(coin, transferData(address, 900_000n * 10n ** 6n));
    await anvil.send(share, transferData(address, 800_000n * ONE));
    await anvil.send(address, stableswapCall("add", []));
    for (const token of [coin, share]) await approve(token, address);
    const source = curveStableswap({
      ...{ protocol: "curve-stableswap", source: "Curve", fromBlock: 0n },
      pools: [{ address, coins: [coin, share], generation, ...(!ng && { basePool: base }) }],
    });
    await trade(source, `metapool-${generation}`, async () => {
      const price = ONE + random.ofBits(57);
      if (random.chance(0.3)) await anvil.send(base, stableswapCall("set_virtual_price", [price]));
    });
  },
);

test("a virtual price that a metapool keeps is its rate until it is ten minutes old", async () => {
  const [coin, share] = [await mintedToken(anvil, 18), await mintedToken(anvil, 18)];
  const base = (await deployStableswap(anvil, { ng: false, decimals: [18, 18], a: 9n, fee: 0n, multiplier: 0n }))
    .address;
  const terms = { ng: false, decimals: [18, 18], a: 300n, fee: 4_000_000n, multiplier: 0n, tokens: [coin, share] };
  const { address } = await deployStableswap(anvil, terms);
  await anvil.send(base, stableswapCall("set_virtual_price", [2n * ONE]));
  const head = await anvil.mine();
  const source = curveStableswap({
    ...{ protocol: "curve-stableswap", source: "Curve", fromBlock: 0n },
    pools: [{ address, coins: [coin, share], generation: "old", basePool: base }],
  });
  const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, "0")}`;
  const rateWith = async (keptSince: bigint) => {
    const reader: typeof anvil.reader = {
      ...anvil.reader,
      calls: async (calls, at) => {
        const answers = [...(await anvil.reader.calls(calls, at))];
        // base_virtual_price() and base_cache_updated() are the last two.
        answers.splice(-2, 2, word(3n * ONE), word(keptSince));
        return answers;
      },
    };
    const [pool] = await source.sync(reader, source.fixed?.() ?? [], head);
    return pool?.curve === "stableswap" ? pool.state.rates : undefined;
  };
  expect(await rateWith(head.timestamp - 600n)).toEqual([ONE, 3n * ONE]);
  expect(await rateWith(head.timestamp - 601n)).toEqual([ONE, 2n * ONE]);
});
