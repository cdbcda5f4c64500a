import { encodeFunctionData, type Hex, parseAbi, toFunctionSelector } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startPoolTracker } from "../../../src/chain/pools/tracker-of-blocks.ts";
import { systemClock } from "../../../src/chain/rpc/clock.ts";
import type { Header } from "../../../src/chain/rpc/codec.ts";
import { type Address, ZERO_ADDRESS } from "../../../src/domain/address.ts";
import type { ChainReader } from "../../../src/market/chain-reader.ts";
import type { LiquiditySource, PoolRef } from "../../../src/market/liquidity-source.ts";
import { createPoolStore } from "../../../src/market/pool-store.ts";
import { mathOf, type Pool } from "../../../src/pools/pool.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { balancerV3 } from "../../../src/venues/balancer-v3/source.ts";
import { balancerV3Buffers } from "../../../src/venues/balancer-v3-buffer/source.ts";
import { sourceContract } from "../../market/liquidity-source.suite.ts";
import { type Anvil, startAnvil } from "../worlds/anvil.ts";
import { deployRateProvider } from "../worlds/balancer.ts";
import {
  approveDesk,
  type BalancerV3World,
  createV3Pool,
  deployBalancerV3,
  deskCall,
  type V3Token,
  v3Swap,
} from "../worlds/balancer-v3.ts";
import { compiled } from "../worlds/compiled.ts";
import { mintedToken } from "../worlds/traffic/minted-tokens.ts";
import { createRandom, type Random } from "../worlds/traffic/random.ts";

const LONG = process.env.TRIBUTARY_LONG === "1";
const BLOCKS = LONG ? 400 : 20;
const SWAPS = LONG ? 2_000 : 40;

const ONE = 10n ** 18n;
const DAY = 86_400n;
/** Functions of the vault and its pools for their managers. */
const MANAGED = parseAbi([
  "function setStaticSwapFeePercentage(address pool, uint256 fee)",
  "function pausePool(address pool)",
  "function unpausePool(address pool)",
  "function startAmplificationParameterUpdate(uint256 rawEndValue, uint256 endTime)",
  "function stopAmplificationParameterUpdate()",
]);
const KINDS = ["swap", "fee", "pause", "rate", "ramp"] as const;
const OFTEN = ["swap", "swap", "swap", "ramp"] as const;

let anvil: Anvil;
let world: BalancerV3World;
let source: LiquiditySource;
let refs: readonly PoolRef[];
const providers: Address[] = [];
const decimalsOf = new Map<Address, number>();

beforeAll(async () => {
  anvil = await startAnvil();
  world = await deployBalancerV3(anvil);
  for (const decimals of [18, 6, 8]) decimalsOf.set(await mintedToken(anvil, decimals), decimals);
  const addresses = [...decimalsOf.keys()].sort();
  providers.push(await deployRateProvider(anvil, ONE));
  const tokens = addresses.map((token, i): V3Token => {
    return { token, rateProvider: i === 1 ? (providers[0] as Address) : ZERO_ADDRESS, paysYieldFees: i === 1 };
  });
  await approveDesk(anvil, world, addresses);
  const pools = [
    { tokens, weights: [ONE / 2n, ONE / 5n, (3n * ONE) / 10n], fee: 3n * 10n ** 15n, salt: 1 },
    { tokens: tokens.slice(0, 2), weights: [ONE / 5n, (4n * ONE) / 5n], fee: 10n ** 15n, salt: 2 },
    { tokens, amplification: 300n, fee: 4n * 10n ** 14n, salt: 3 },
    { tokens: tokens.slice(1), amplification: 2_000n, fee: 10n ** 14n, salt: 4 },
  ];
  const made: PoolRef[] = [];
  for (const terms of pools) {
    const address = await createV3Pool(anvil, world, terms);
    const held = terms.tokens.map(({ token }) => token);
    const amounts = held.map((token) => 10n ** BigInt((decimalsOf.get(token) as number) + 6));
    await anvil.send(world.desk, deskCall("initialize", [world.vault, address, held, amounts]));
    const kind = "weights" in terms ? "weighted" : "stable";
    made.push({ id: address, address: world.vault, tokens: held, terms: { kind } });
  }
  refs = made;
  await anvil.mine();
  source = balancerV3({
    ...{ protocol: "balancer-v3", source: "Balancer_V3", vault: world.vault, fromBlock: 0n },
    factories: [
      { factory: world.weightedFactory, kind: "weighted" },
      { factory: world.stableFactory, kind: "stable" },
    ],
  });
});
afterAll(() => anvil?.stop());

function managed(functionName: (typeof MANAGED)[number]["name"], args: readonly unknown[]): Hex {
  return encodeFunctionData({ abi: MANAGED, functionName, args } as Parameters<typeof encodeFunctionData>[0]);
}

async function setRate(random: Random): Promise<void> {
  const { abi } = compiled("DevnetRateProvider");
  const rate = random.between((ONE * 9n) / 10n, (ONE * 12n) / 10n);
  await anvil.send(random.pick(providers), encodeFunctionData({ abi, functionName: "setRate", args: [rate] }));
}

function twoOf(random: Random, tokens: readonly Address[]) {
  const sell = random.int(0, tokens.length - 1);
  const buy = (sell + random.int(1, tokens.length - 1)) % tokens.length;
  return { sell, buy, sellToken: tokens[sell] as Address, buyToken: tokens[buy] as Address };
}

/** Something that changes a pool: mostly swaps. */
async function disturb(random: Random, seen: Map<string, number>): Promise<void> {
  const kind = KINDS.find((each) => !seen.has(each)) ?? random.pick([...KINDS, ...OFTEN]);
  const ref = random.pick(kind === "ramp" ? refs.slice(2) : refs);
  seen.set(kind, (seen.get(kind) ?? 0) + 1);
  const pool = ref.id as Address;
  if (kind === "swap") {
    const { sellToken, buyToken } = twoOf(random, ref.tokens);
    const amount = BigInt(random.int(1, 20_000)) * 10n ** BigInt(decimalsOf.get(sellToken) as number);
    await anvil.send(world.desk, deskCall("swap", [world.vault, v3Swap(pool, true, sellToken, buyToken, amount)]));
  }
  if (kind === "fee")
    await anvil.send(
      world.vault,
      managed("setStaticSwapFeePercentage", [pool, random.between(10n ** 13n, 10n ** 16n)]),
    );
  if (kind === "pause")
    await anvil.send(world.vault, managed(random.chance(0.4) ? "pausePool" : "unpausePool", [pool]));
  if (kind === "rate") await setRate(random);
  if (kind === "ramp") {
    const { timestamp } = await anvil.head();
    await anvil.send(pool, managed("stopAmplificationParameterUpdate", []));
    const args = [BigInt(random.int(200, 3_000)), timestamp + 10n * DAY];
    await anvil.send(pool, managed("startAmplificationParameterUpdate", args));
  }
}

test("pools are what the vault says at every block", async () => {
  const random = createRandom(77);
  const seen = new Map<string, number>();
  const start = await anvil.mine();
  const report = await sourceContract({
    ...{ source, reader: anvil.reader, start, blocks: BLOCKS, logsOf: anvil.logsOf },
    act: async () => {
      for (let count = random.int(0, 3); count > 0; count--) await disturb(random, seen);
      if (random.chance(0.3)) await anvil.rpc("evm_increaseTime", [random.int(1, 4_000)]);
      return anvil.mine();
    },
  });
  expect(report.refs).toEqual(refs);
  // A call that reverts is made again alone, and these are made for every block.
  const asked: ChainReader = {
    ...anvil.reader,
    async calls(calls, block) {
      const answers = await anvil.reader.calls(calls, block);
      expect(answers).not.toContain(undefined);
      return answers;
    },
  };
  expect((await source.sync(asked, refs, await anvil.head())).length).toBe(refs.length);
  expect(seen.size).toBe(KINDS.length);
});

test("a swap in the vault pays or costs what was quoted, and leaves what was said", async () => {
  const random = createRandom(78);
  for (const { id } of refs) await anvil.send(world.vault, managed("unpausePool", [id]));
  let at = await anvil.mine();
  const seen = { in: 0, out: 0, refused: 0 };
  let synced = await source.sync(anvil.reader, refs, at);
  expect(synced.length).toBe(refs.length);
  for (let count = 0; count < SWAPS; count++) {
    const pool = random.pick(synced);
    const math = mathOf(pool);
    const { sell, buy, sellToken, buyToken } = twoOf(random, pool.tokens);
    const time = at.timestamp + BigInt(random.pick([1, 61, 4_000]));
    const exactIn = random.chance(0.5);
    const { maxSell, maxBuy } = math.limits(pool.state, { sell, buy }, time);
    const most = exactIn ? maxSell : maxBuy;
    const amount = most < 1_000n ? most : random.between(most / 10n ** 6n + 1n, most / 40n + 2n);
    const ask = exactIn ? math.quoteExactIn : math.quoteExactOut;
    const quote = ask(pool.state, { sell, buy }, amount, time);
    if (isRejection(quote)) {
      seen.refused++;
      continue;
    }
    await anvil.rpc("evm_setNextBlockTimestamp", [Number(time)]);
    const swap = v3Swap(pool.id as Address, exactIn, sellToken, buyToken, amount);
    await anvil.send(world.desk, deskCall("swap", [world.vault, swap]));
    at = await anvil.mine();
    const log = (await anvil.logsOf(at)).find(({ address, topics }) => address === world.vault && topics.length === 4);
    const moved = [0, 1].map((word) => BigInt(`0x${log?.data.slice(2 + 64 * word, 66 + 64 * word)}`));
    expect(moved).toEqual(exactIn ? [amount, quote.amount] : [quote.amount, amount]);
    synced = await source.sync(anvil.reader, refs, at);
    expect(synced.find(({ id }) => id === pool.id)?.state).toEqual(quote.next);
    seen[exactIn ? "in" : "out"]++;
  }
  expect(seen.refused).toBeLessThan(SWAPS / 8);
  expect(Math.min(seen.in, seen.out)).toBeGreaterThan(SWAPS / 4);
});

test("a pool is there from the block on in which it is initialized", async () => {
  const store = createPoolStore();
  const base = (await anvil.head()) as Header;
  const buffers = balancerV3Buffers({
    ...{ protocol: "balancer-v3-buffers", source: "Buffers", vault: world.vault, fromBlock: 0n },
    buffers: [{ wrapped: world.desk, asset: world.desk, decimalsOffset: 0 }],
  });
  const found = (buffers.fixed?.() ?? []).map((ref) => ({ ref, source: buffers }));
  const tracker = await startPoolTracker({
    ...{ reader: anvil.reader, store, sources: [source, buffers], found, base, ringSize: 8, clock: systemClock },
  });
  const held = [...decimalsOf.keys()].sort().slice(0, 2);
  const tokens = held.map((token): V3Token => ({ token, rateProvider: ZERO_ADDRESS, paysYieldFees: false }));
  const id = await createV3Pool(anvil, world, { tokens, weights: [ONE / 2n, ONE / 2n], fee: 10n ** 15n, salt: 9 });
  const follow = async () => {
    const header = (await anvil.head()) as Header;
    await tracker.apply(header, await anvil.logsOf(header));
    await tracker.freshen();
    return store.get(id)?.state;
  };
  expect(await follow()).toBeUndefined();
  expect(tracker.tracked(id)?.ref.address).toBe(world.vault);
  const amounts = held.map((token) => 10n ** BigInt((decimalsOf.get(token) as number) + 6));
  await anvil.send(world.desk, deskCall("initialize", [world.vault, id, held, amounts]));
  await anvil.mine();
  expect(await follow()).toMatchObject({ balances: amounts });
});

test("pools of other factories, with other tokens, or with a hook in a swap are left out", async () => {
  const at = await anvil.head();
  const [ref] = refs;
  if (ref === undefined) throw new Error("no pool");
  const stableOnly = balancerV3({
    ...{ protocol: "balancer-v3", source: "Balancer_V3", vault: world.vault, fromBlock: 0n },
    factories: [{ factory: world.stableFactory, kind: "stable" }],
  });
  expect(await stableOnly.sync(anvil.reader, [ref], at)).toEqual([]);
  const reversed = { ...ref, tokens: [...ref.tokens].reverse() };
  expect(await source.sync(anvil.reader, [reversed], at)).toEqual([]);
  const selector = toFunctionSelector("getHooksConfig(address)");
  for (const word of [3, 4, 5]) {
    const hooked: ChainReader = {
      ...anvil.reader,
      calls: async (calls, block) => {
        const answers = await anvil.reader.calls(calls, block);
        return answers.map((answer, i): Hex | undefined => {
          if (answer === undefined || !calls[i]?.data.startsWith(selector)) return answer;
          return `${answer.slice(0, 65 + 64 * word)}1${answer.slice(66 + 64 * word)}` as Hex;
        });
      },
    };
    expect(await source.sync(hooked, [ref], at)).toEqual([]);
  }
  const pool = { id: ref.id } as Pool;
  expect(source.action(pool, {} as never)).toEqual({ action: "balancer-v3-pool", vault: world.vault, pool: ref.id });
});
