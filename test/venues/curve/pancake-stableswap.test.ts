import { encodeFunctionData, erc20Abi, numberToHex, toFunctionSelector } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Address, NATIVE_TOKEN } from "../../../src/domain/address.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { stableswapMath } from "../../../src/pools/stableswap/math.ts";
import { pancakeStableswap } from "../../../src/venues/pancake-stableswap/source.ts";
import { sourceContract } from "../../market/liquidity-source.suite.ts";
import { type Anvil, startAnvil } from "../worlds/anvil.ts";
import { compiled } from "../worlds/compiled.ts";
import {
  deployPancakeStable,
  type PancakeStablePool,
  type PancakeStableTerms,
  pancakeStableCall,
} from "../worlds/curve/pancake-stableswap.ts";
import { transferData } from "../worlds/traffic/minted-tokens.ts";
import { createRandom } from "../worlds/traffic/random.ts";

const BLOCKS = process.env.TRIBUTARY_LONG === "1" ? 600 : 20;
const ONE = 10n ** 18n;
const KINDS: readonly PancakeStableTerms[] = [
  { kind: "pancake", precision: 1n, decimals: [18, 6, 8], a: 400n, fee: 4_000_000n },
  { kind: "lista", precision: 100n, decimals: [18, 6], a: 200n, fee: 1_000_000n },
  { kind: "lista", precision: 100n, decimals: [6, 18], a: 1_000n, fee: 10_000n },
  { kind: "lista", precision: 100n, decimals: ["native", 18], a: 50n, fee: 4_000_000n },
];

let anvil: Anvil;
let factory: Address;
let source: ReturnType<typeof pancakeStableswap>;

beforeAll(async () => {
  anvil = await startAnvil();
  const { abi, bytecode } = compiled("DevnetPancakeStableFactory");
  factory = await anvil.deploy(abi, bytecode, []);
  source = pancakeStableswap({ protocol: "pancake-stableswap", source: "Lista", factory, fromBlock: 0n });
});
afterAll(() => anvil?.stop());

const addToFactory = (pool: Address) => {
  const { abi } = compiled("DevnetPancakeStableFactory");
  return anvil.send(factory, encodeFunctionData({ abi, functionName: "add", args: [pool] }));
};
const wholeOf = (decimals: number | "native") => 10n ** BigInt(decimals === "native" ? 18 : decimals);

/** A pool with about a thousand of each coin, which the factory numbers and the trader may sell to. */
async function filled(terms: PancakeStableTerms): Promise<PancakeStablePool> {
  const pool = await deployPancakeStable(anvil, terms);
  for (const [i, token] of pool.tokens.entries()) {
    const amount = BigInt(1_000 + 40 * i) * wholeOf(pool.decimals[i] as number | "native");
    if (token === NATIVE_TOKEN) {
      await anvil.send(pool.address, "0x", amount);
      continue;
    }
    await anvil.send(token, transferData(pool.address, amount));
    const args = [pool.address, (1n << 256n) - 1n] as const;
    await anvil.send(token, encodeFunctionData({ abi: erc20Abi, functionName: "approve", args }));
  }
  await anvil.send(pool.address, pancakeStableCall("add", []));
  await addToFactory(pool.address);
  return pool;
}

async function listed(known: (id: string) => boolean = () => false) {
  const listing = await source.listed?.(anvil.reader, known, await anvil.mine());
  if (listing === undefined) throw new Error("the source lists no pools");
  return listing;
}

test("pools are what their factory and contracts say at every block: exchanges, ramps, prices and stops", async () => {
  const random = createRandom(2_701);
  const pools: PancakeStablePool[] = [];
  for (const terms of KINDS) pools.push(await filled(terms));
  await addToFactory(factory);
  const { pools: refs, unserved } = await listed();
  expect(refs).toEqual(pools.map(({ address, tokens }) => ({ id: address, address, tokens, terms: {} })));
  expect([...unserved]).toEqual([[factory, "UNKNOWN_VERSION"]]);
  expect((await listed((id) => id !== refs[1]?.id)).pools).toEqual([refs[1]]);

  const seen = { exchanges: 0, natives: 0, others: 0, refused: 0 };
  const exchange = async (of: PancakeStablePool, ref: (typeof refs)[number]) => {
    const head = await anvil.mine();
    const [pool] = await source.sync(anvil.reader, [ref], head);
    if (pool?.curve !== "stableswap") throw new Error("the pool cannot be read");
    const sell = random.int(0, of.tokens.length - 1);
    const buy = (sell + random.int(1, of.tokens.length - 1)) % of.tokens.length;
    const next = head.timestamp + 1n;
    const { maxSell } = stableswapMath.limits(pool.state, { sell, buy }, next);
    const whole = wholeOf(of.decimals[sell] as number | "native");
    const most = maxSell < 60n * whole ? maxSell : 60n * whole;
    const amount = random.chance(0.3) ? most : random.between(1n, most + 1n);
    const quote = stableswapMath.quoteExactIn(pool.state, { sell, buy }, amount, next);
    if (isRejection(quote)) {
      seen.refused++;
      return;
    }
    const data = pancakeStableCall("exchange", [BigInt(sell), BigInt(buy), amount, quote.amount]);
    await anvil.rpc("evm_setNextBlockTimestamp", [Number(next)]);
    await anvil.send(of.address, data, of.tokens[sell] === NATIVE_TOKEN ? amount : 0n);
    const after = await source.sync(anvil.reader, [ref], await anvil.mine());
    expect(after).toEqual([{ ...pool, state: quote.next }]);
    seen.exchanges++;
    if (of.tokens.includes(NATIVE_TOKEN)) seen.natives++;
  };
  const act = async () => {
    const at = random.int(0, pools.length - 1);
    const [of, ref] = [pools[at], refs[at]] as [PancakeStablePool, (typeof refs)[number]];
    const kind = random.int(0, 6);
    if (kind < 4) {
      await exchange(of, ref);
      return anvil.mine();
    }
    seen.others++;
    const { timestamp } = await anvil.head();
    const prices = [ONE + (ONE * BigInt(random.int(-8_000, 8_000))) / 1_000_000n, ONE];
    const call = {
      4: () => pancakeStableCall("ramp_A", [BigInt(random.int(20, 2_000)), timestamp + 30n]),
      5: () => pancakeStableCall("stop", [random.chance(0.3)]),
      6: () => pancakeStableCall("set_prices", [prices, [ONE / 50n, ONE / 30n], random.chance(0.2)]),
    }[kind];
    await anvil.send(of.address, call?.() ?? "0x");
    return anvil.mine();
  };
  const start = await anvil.mine();
  await sourceContract({
    ...{ source: { ...source, fixed: () => refs }, reader: anvil.reader, start, blocks: BLOCKS, act },
    logsOf: anvil.logsOf,
  });
  expect(seen.exchanges).toBeGreaterThan(BLOCKS / 5);
  expect(seen.natives).toBeGreaterThan(0);
  expect(seen.others).toBeGreaterThan(BLOCKS / 6);
});

test("a pool is left out and told without its oracle, with other coins, or where it pays otherwise", async () => {
  const { address, tokens } = await filled(KINDS[2] as PancakeStableTerms);
  const ref = { id: address, address, tokens, terms: {} };
  const told: string[] = [];
  const read = async (reader = anvil.reader, of = ref) => {
    const pools = await source.sync(reader, [of], await anvil.mine(), (_, reason) => told.push(reason));
    return pools.length;
  };
  expect(await read()).toBe(1);
  expect(await read(anvil.reader, { ...ref, tokens: [...tokens].reverse() })).toBe(0);
  const dy = toFunctionSelector("get_dy(uint256,uint256,uint256)");
  const cheaper: typeof anvil.reader = {
    ...anvil.reader,
    calls: async (calls, at) => {
      const answers = await anvil.reader.calls(calls, at);
      return answers.map((answer, i) =>
        calls[i]?.data.startsWith(dy) ? (calls[i]?.data.slice(0, 66) as "0x") : answer,
      );
    },
  };
  expect(await read(cheaper)).toBe(0);
  const thresholds = [ONE / 50n, ONE / 50n];
  await anvil.send(address, pancakeStableCall("set_prices", [[0n, ONE], thresholds, false]));
  expect(await read()).toBe(0);
  expect(told).toEqual(["NOT_READABLE", "UNKNOWN_VERSION", "NOT_READABLE"]);
  // A pool that skips its check asks no oracle.
  await anvil.send(address, pancakeStableCall("set_prices", [[0n, ONE], thresholds, true]));
  expect(await read()).toBe(1);
});

test("an action names the exchange by uint256 and the coins' numbers", async () => {
  const { address, tokens } = await filled(KINDS[0] as PancakeStableTerms);
  const [pool] = await source.sync(anvil.reader, [{ id: address, address, tokens, terms: {} }], await anvil.mine());
  const [, sellToken, buyToken] = tokens as [Address, Address, Address];
  const fill = { poolId: address, source: "Lista", sellToken, buyToken, sellAmount: 1n, buyAmount: 1n, gas: 0n };
  expect(source.action(pool as Pool, { ...fill, share: 1n })).toEqual({
    ...{ action: "curve-crypto-pool", pool: address, sell: 1, buy: 2 },
  });
  expect(source.fillData(pool as Pool)).toEqual({ poolAddress: address, coins: tokens.join() });
});

test("a pool out of its check's bounds is held against its get_dy, too", async () => {
  const { address, tokens } = await filled(KINDS[1] as PancakeStableTerms);
  const far = [(98n * ONE) / 100n, ONE];
  await anvil.send(address, pancakeStableCall("set_prices", [far, [ONE / 100n, ONE / 100n], false]));
  const at = await anvil.mine();
  const refs = [{ id: address, address, tokens, terms: {} }];
  expect(await source.sync(anvil.reader, refs, at)).toHaveLength(1);
  const getDy = toFunctionSelector("get_dy(uint256,uint256,uint256)");
  const lying: typeof anvil.reader = {
    ...anvil.reader,
    calls: async (calls, ...rest) => {
      const answers = await anvil.reader.calls(calls, ...rest);
      return answers.map((answer, i) => (calls[i]?.data.startsWith(getDy) ? numberToHex(1n, { size: 32 }) : answer));
    },
  };
  expect(await source.sync(lying, refs, at)).toEqual([]);
});
