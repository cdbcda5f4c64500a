import { encodeFunctionData, erc20Abi, type Hex, numberToHex, toFunctionSelector } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Address, NATIVE_TOKEN, ZERO_ADDRESS } from "../../../src/domain/address.ts";
import { SHARE_ONE } from "../../../src/domain/route.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { stableswapMath } from "../../../src/pools/stableswap/math.ts";
import type { StableswapState } from "../../../src/pools/stableswap/state.ts";
import { evaluatePlan } from "../../../src/routing/plan/execution.ts";
import { curveStableswap } from "../../../src/venues/curve-stableswap/source.ts";
import { countCases } from "../../support/suites/tried-cases.ts";
import { type Anvil, startAnvil } from "../worlds/anvil.ts";
import { addOneCall, deployStableswap, type StableswapPool, stableswapCall } from "../worlds/curve/stableswap.ts";
import { mintedToken, transferData } from "../worlds/traffic/minted-tokens.ts";
import { createRandom } from "../worlds/traffic/random.ts";

/** Pools with the native token and metapools, traded in earnest. */

const LONG = process.env.TRIBUTARY_LONG === "1";
const EXCHANGES = LONG ? 7_000 : 60;
/** After so many the world is as it was at first: the trader would run out of what it sells. */
const FRESH_EVERY = 50;
const ONE = 10n ** 18n;
const NO_FILL = { source: "Curve", sellAmount: 1n, buyAmount: 1n, gas: 0n, share: SHARE_ONE };

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
  await anvil.mine();
  let first = await anvil.rpc<Hex>("evm_snapshot");
  for (let round = 0; round < EXCHANGES; round++) {
    if (round > 0 && round % FRESH_EVERY === 0) {
      await anvil.rpc("evm_revert", [first]);
      first = await anvil.rpc<Hex>("evm_snapshot");
    }
    await change(round);
    const head = await anvil.mine();
    const [pool] = await source.sync(anvil.reader, refs, head);
    if (pool?.curve !== "stableswap") throw new Error("the pool cannot be read");
    const sell = random.int(0, 1);
    const [sold, bought] = [pool.tokens[sell], pool.tokens[1 - sell]] as [Address, Address];
    const held = pool.state.balances[sell] as bigint;
    const drawn = random.between(held / 10n ** 6n + 1n, held / 3n + 2n);
    const owned = (await balanceOf(sold)) / 2n;
    const amount = drawn < owned ? drawn : owned;
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

/** A pool of two coins of 18 decimals with liquidity; what its owner says its coins are worth is what its shares are. */
async function basePool(generation: "old" | "ng"): Promise<StableswapPool> {
  const ng = generation === "ng";
  const terms = { ng, decimals: [18, 18], a: 200n, fee: 1_000_000n, multiplier: ng ? 5n * 10n ** 10n : 0n };
  const base = await deployStableswap(anvil, terms);
  for (const token of base.tokens) {
    await anvil.send(token, transferData(base.address, 700_000n * ONE));
    await approve(token, base.address);
  }
  await anvil.send(base.address, stableswapCall("add", []));
  await anvil.mine();
  return base;
}

async function setWorth(base: StableswapPool, coins: readonly number[], worth: bigint): Promise<void> {
  for (const coin of coins) await anvil.send(base.address, stableswapCall("set_rate", [BigInt(coin), worth]));
}

/** A metapool of a coin of six decimals and the base pool's share, filled. */
async function metapool(base: StableswapPool, ng: boolean): Promise<StableswapPool> {
  const coin = await mintedToken(anvil, 6);
  const terms = { ng, decimals: [6, 18], a: 300n, fee: 4_000_000n, multiplier: ng ? 2n * 10n ** 10n : 0n };
  const pool = await deployStableswap(anvil, { ...terms, tokens: [coin, base.share] });
  await anvil.send(pool.address, stableswapCall("set_base_pool", [base.address]));
  await anvil.send(coin, transferData(pool.address, 500_000n * 10n ** 6n));
  await anvil.send(base.share, transferData(pool.address, 450_000n * ONE));
  await anvil.send(pool.address, stableswapCall("add", []));
  for (const token of pool.tokens) await approve(token, pool.address);
  return pool;
}

test.each(["old", "ng"] as const)(
  "a metapool of the %s kind follows the other pool's virtual price",
  async (generation) => {
    const random = createRandom(92);
    const base = await basePool("old");
    const { address, tokens } = await metapool(base, generation === "ng");
    const source = curveStableswap({
      ...{ protocol: "curve-stableswap", source: "Curve", fromBlock: 0n },
      pools: [{ address, coins: tokens, generation, basePool: base.address }],
    });
    await trade(source, `metapool-${generation}`, async () => {
      if (random.chance(0.3)) await setWorth(base, [0], ONE + random.ofBits(57));
    });
    const at = await anvil.head();
    const [ref] = source.fixed?.() ?? [];
    if (ref === undefined) throw new Error("no pool");
    const elsewhere = { ...ref, terms: { generation, basePool: address } };
    // Pools of the newer kind say whose share they trade, the older ones show it by what they pay.
    expect(await source.sync(anvil.reader, [elsewhere], at)).toEqual([]);
  },
);

test.each(["old", "ng"] as const)("shares of a pool of the %s kind are bought and sold as said", async (generation) => {
  const random = createRandom(93);
  const base = await basePool(generation);
  const { address, tokens, share } = base;
  const listed = { address, coins: tokens, generation };
  const venue = { protocol: "curve-stableswap", source: "Curve", fromBlock: 0n } as const;
  const source = curveStableswap({ ...venue, pools: [{ ...listed, share }] });
  const refs = source.fixed?.() ?? [];
  const seen = { add: 0, remove: 0, exchange: 0 };
  for (let round = 0; round < (LONG ? 600 : 24); round++) {
    if (generation === "ng" && random.chance(0.2)) await setWorth(base, [0], ONE + random.ofBits(57));
    const head = await anvil.mine();
    const [pool] = await source.sync(anvil.reader, refs, head);
    if (pool?.curve !== "stableswap") throw new Error("the pool cannot be read");
    const sell = random.int(0, 2);
    const buy = (sell + random.int(1, 2)) % 3;
    const [sellToken, buyToken] = [pool.tokens[sell], pool.tokens[buy]] as [Address, Address];
    const amount = random.between(10n ** 8n, 200_000n * ONE);
    const next = head.timestamp + 1n;
    const quote = stableswapMath.quoteExactIn(pool.state, { sell, buy }, amount, next);
    if (isRejection(quote)) continue;
    const kind = buy === 2 ? "add" : sell === 2 ? "remove" : "exchange";
    const action = source.action(pool, { ...NO_FILL, poolId: pool.id, sellToken, buyToken });
    const amounts = generation === "ng" ? "list" : "array";
    expect(action).toEqual(
      {
        add: { action: "curve-add", pool: address, coin: sell, coins: 2, amounts },
        remove: { action: "curve-remove", pool: address, coin: buy },
        exchange: { action: "curve-pool", pool: address, sell, buy },
      }[kind],
    );
    const before = await balanceOf(buyToken);
    await anvil.rpc("evm_setNextBlockTimestamp", [Number(next)]);
    await anvil.send(
      address,
      kind === "add"
        ? addOneCall(base, sell, amount)
        : kind === "remove"
          ? stableswapCall("remove_liquidity_one_coin", [amount, buy, quote.amount])
          : stableswapCall("exchange", [sell, buy, amount, quote.amount]),
    );
    const after = await anvil.mine();
    expect((await balanceOf(buyToken)) - before).toBe(quote.amount);
    expect(await source.sync(anvil.reader, refs, after)).toEqual([{ ...pool, state: quote.next } as Pool]);
    seen[kind]++;
  }
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(2);

  // A token that the pool does not make is no share of it: its coins are traded, and nothing else.
  const stranger = curveStableswap({ ...venue, pools: [{ ...listed, share: tokens[1] as Address }] });
  const [pool] = await stranger.sync(anvil.reader, stranger.fixed?.() ?? [], await anvil.head());
  expect(pool?.curve === "stableswap" && pool.state.totalSupply === undefined).toBe(true);
});

test.each(["old", "ng"] as const)(
  "a route over a share of the %s kind pays what the metapool's new rate says",
  async (generation) => {
    const random = createRandom(94);
    const base = await basePool(generation);
    const meta = await metapool(base, true);
    const source = curveStableswap({
      ...{ protocol: "curve-stableswap", source: "Curve", fromBlock: 0n },
      pools: [
        { address: base.address, coins: base.tokens, generation, share: base.share },
        { address: meta.address, coins: meta.tokens, generation: "ng", basePool: base.address },
      ],
    });
    const [sellToken, buyToken] = [base.tokens[0], meta.tokens[0]] as [Address, Address];
    let moved = 0;
    for (let round = 0; round < 12; round++) {
      const head = await anvil.mine();
      const pools = await source.sync(anvil.reader, source.fixed?.() ?? [], head);
      const [first, second] = pools as [Pool, Pool];
      const sellAmount = random.between(10n * ONE, 100_000n * ONE);
      const next = head.timestamp + 1n;
      const plan = [
        { pool: first, direction: { sell: 0, buy: 2 }, share: SHARE_ONE },
        { pool: second, direction: { sell: 1, buy: 0 }, share: SHARE_ONE },
      ];
      const route = evaluatePlan(plan, { kind: "exactIn", sellToken, buyToken, sellAmount }, next);
      if ("broken" in route) throw new Error("no route");
      const before = await balanceOf(buyToken);
      await anvil.rpc("evm_setNextBlockTimestamp", [Number(next)]);
      await anvil.send(base.address, addOneCall(base, 0, sellAmount));
      await anvil.send(meta.address, stableswapCall("exchange", [1, 0, route.fills[1]?.sellAmount, 0n]));
      await anvil.mine();
      expect((await balanceOf(buyToken)) - before).toBe(route.buyAmount);
      const { math, state } = { math: stableswapMath, state: second.state as StableswapState };
      const asBefore = math.quoteExactIn(state, { sell: 1, buy: 0 }, route.fills[1]?.sellAmount as bigint, next);
      if (!isRejection(asBefore) && asBefore.amount !== route.buyAmount) moved++;
    }
    expect(moved).toBeGreaterThan(3);
  },
);

test("a virtual price that a metapool keeps is its rate until it is ten minutes old", async () => {
  const base = await basePool("old");
  const { address, tokens } = await metapool(base, false);
  await setWorth(base, [0, 1], 2n * ONE);
  await anvil.send(address, stableswapCall("set_base_pool", [ZERO_ADDRESS]));
  const source = curveStableswap({
    ...{ protocol: "curve-stableswap", source: "Curve", fromBlock: 0n },
    pools: [{ address, coins: tokens, generation: "old", basePool: base.address }],
  });
  const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, "0")}`;
  const kept = [toFunctionSelector("base_virtual_price()"), toFunctionSelector("base_cache_updated()")];
  /** The state where the pool counts a share as `worth`, and says since when it has kept three. */
  const stateWith = async (worth: bigint, age: bigint) => {
    await anvil.send(address, stableswapCall("set_rate", [1n, worth]));
    const head = await anvil.mine();
    const words = [word(3n * ONE), word(head.timestamp - age)];
    const reader: typeof anvil.reader = {
      ...anvil.reader,
      calls: async (calls, at) => {
        const answers = await anvil.reader.calls(calls, at);
        return answers.map((answer, i) => words[kept.indexOf(calls[i]?.data as Hex)] ?? answer);
      },
    };
    const [pool] = await source.sync(reader, source.fixed?.() ?? [], head);
    return pool?.curve === "stableswap" ? pool.state : undefined;
  };
  const rate = 10n ** 30n;
  expect(await stateWith(3n * ONE, 600n)).toMatchObject({ rates: [rate, 3n * ONE] });
  expect(await stateWith(3n * ONE, 600n)).not.toHaveProperty("basePool");
  expect(await stateWith(2n * ONE, 601n)).toMatchObject({ rates: [rate, 2n * ONE], basePool: base.address });
  expect(await stateWith(2n * ONE, 600n)).toBeUndefined();
});

test("a pool that counts its coins by rates of its own is left out, and one of the factory before NG divides as that", async () => {
  const { address, tokens } = await basePool("old");
  const source = curveStableswap({
    ...{ protocol: "curve-stableswap", source: "Curve", fromBlock: 0n },
    pools: [{ address, coins: tokens, generation: "old" }],
  });
  const generationIn = async (reader: typeof anvil.reader) => {
    const [pool] = await source.sync(reader, source.fixed?.() ?? [], await anvil.head());
    return pool?.curve === "stableswap" ? pool.state.generation : undefined;
  };
  expect(await generationIn(anvil.reader)).toBe("old");
  const supply = toFunctionSelector("totalSupply()");
  const factorys: typeof anvil.reader = {
    ...anvil.reader,
    calls: async (calls, at) => {
      const answers = await anvil.reader.calls(calls, at);
      return answers.map((answer, i) => (calls[i]?.data === supply ? numberToHex(1n, { size: 32 }) : answer));
    },
  };
  expect(await generationIn(factorys)).toBe("ng");
  await anvil.send(address, stableswapCall("set_rate", [0n, ONE + ONE / 10n ** 12n]));
  await anvil.mine();
  expect(await generationIn(anvil.reader)).toBeUndefined();
});
