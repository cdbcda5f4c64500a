import { encodeAbiParameters, encodeFunctionData, erc20Abi, type Hex, maxUint256 } from "viem";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Address } from "../../../src/domain/address.ts";
import type { ChainReader } from "../../../src/market/chain-reader.ts";
import type { LiquiditySource } from "../../../src/market/liquidity-source.ts";
import { mathOf } from "../../../src/pools/pool.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { balancerV2 } from "../../../src/venues/balancer-v2/source.ts";
import { sourceContract } from "../../support/suites/source-contract.ts";
import { type Anvil, startAnvil } from "../worlds/anvil.ts";
import {
  allow,
  type BalancerPool,
  type BalancerWorld,
  balancerCall,
  deployBalancer,
  deployRateProvider,
  fill,
  queried,
  swapData,
} from "../worlds/balancer.ts";
import {
  createFirstWeighted,
  createMetaStable,
  deployFirstFactories,
  FIRST_POOL,
  type FirstFactories,
  firstPoolCall,
} from "../worlds/balancer-first.ts";
import { compiled } from "../worlds/compiled.ts";
import { mintedToken } from "../worlds/traffic/minted-tokens.ts";
import { createRandom, type Random } from "../worlds/traffic/random.ts";

/** Balancer V2's first weighted pools and MetaStable pools, in the bytecode of their factories on mainnet. */

const LONG = process.env.TRIBUTARY_LONG === "1";
const BLOCKS = LONG ? 600 : 50;
const SWAPS = LONG ? 3_000 : 120;

vi.setConfig({ testTimeout: LONG ? 3_600_000 : 180_000, hookTimeout: 180_000 });

const ONE = 10n ** 18n;
const DAY = 86_400n;

interface Made extends BalancerPool {
  readonly stable: boolean;
}

let anvil: Anvil;
let world: BalancerWorld;
let factories: FirstFactories;
let source: LiquiditySource;
let pools: readonly Made[];
const decimalsOf = new Map<Address, number>();
const providers: Address[] = [];

beforeAll(async () => {
  anvil = await startAnvil();
  world = await deployBalancer(anvil);
  factories = await deployFirstFactories(anvil, world);
  for (const decimals of [18, 6, 8, 18]) decimalsOf.set(await mintedToken(anvil, decimals), decimals);
  const tokens = [...decimalsOf.keys()].sort();
  for (let i = 0; i < 2; i++) providers.push(await deployRateProvider(anvil, ONE + BigInt(i) * 10n ** 16n));
  const two = tokens.slice(1, 3);
  const weighted = [
    { tokens: tokens.slice(0, 3), weights: [ONE / 2n, ONE / 4n, ONE / 4n], fee: 3n * 10n ** 15n },
    { tokens: two, weights: [ONE / 5n, (4n * ONE) / 5n], fee: 10n ** 15n, oracle: true as const },
    { tokens: tokens.slice(2), weights: [ONE / 2n, ONE / 2n], fee: 2_500_000_000_000_001n },
  ];
  const metaStable = [
    { rateProviders: providers, durations: [60n, 3_600n], amplification: 50n, fee: 4n * 10n ** 14n },
    { rateProviders: [undefined, providers[0]], durations: [0n, 0n], amplification: 1_000n, fee: 10n ** 14n },
  ];
  const made: Made[] = [];
  for (const terms of weighted)
    made.push({ ...(await createFirstWeighted(anvil, world, factories, terms)), stable: false });
  for (const [i, terms] of metaStable.entries()) {
    const own = tokens.slice(i, i + 2);
    made.push({ ...(await createMetaStable(anvil, world, factories, { tokens: own, ...terms })), stable: true });
  }
  for (const pool of made) {
    const held = pool.tokens.map((token) => 10n ** BigInt((decimalsOf.get(token) as number) + 6));
    await fill(anvil, world, pool, held);
    await allow(anvil, world, pool.address, FIRST_POOL, "setPaused");
    if (pool.stable)
      for (const name of ["startAmplificationParameterUpdate", "stopAmplificationParameterUpdate"])
        await allow(anvil, world, pool.address, FIRST_POOL, name);
    const approve = { abi: erc20Abi, functionName: "approve", args: [world.vault, maxUint256] } as const;
    for (const token of pool.tokens) await anvil.send(token, encodeFunctionData(approve));
  }
  await anvil.mine();
  pools = made;
  source = balancerV2({
    ...{ protocol: "balancer-v2", source: "Balancer_V2", vault: world.vault, fromBlock: 0n },
    factories: [
      { factory: factories.weighted, kind: "weighted-v1" },
      { factory: factories.twoTokens, kind: "weighted-v1" },
      { factory: factories.metaStable, kind: "meta-stable" },
    ],
  });
});
afterAll(() => anvil?.stop());

const KINDS = ["swap", "join", "exit", "fee", "pause", "rate", "ramp", "cache"] as const;
const OFTEN = ["swap", "swap", "swap", "ramp", "cache"] as const;

/** Something that changes a pool: mostly swaps. */
async function disturb(random: Random, seen: Map<string, number>): Promise<void> {
  const kind = KINDS.find((each) => !seen.has(each)) ?? random.pick([...KINDS, ...OFTEN]);
  const pool = random.pick(kind === "ramp" || kind === "cache" ? pools.filter(({ stable }) => stable) : pools);
  const send = (name: string, args: readonly unknown[]) => anvil.send(pool.address, firstPoolCall(name, args));
  const ways: Record<(typeof KINDS)[number], () => Promise<unknown>> = {
    swap: () => swap(pool, random),
    join: () => joinOrExit(pool, random, true),
    exit: () => joinOrExit(pool, random, false),
    fee: () => send("setSwapFeePercentage", [random.between(10n ** 12n, 10n ** 17n)]),
    pause: () => send("setPaused", [random.chance(0.3)]),
    rate: () => setRate(random),
    ramp: async () => {
      const { timestamp } = await anvil.head();
      await send("stopAmplificationParameterUpdate", []);
      await send("startAmplificationParameterUpdate", [BigInt(random.int(40, 1_900)), timestamp + 10n * DAY]);
    },
    cache: () => send("updatePriceRateCache", [random.pick(pool.tokens)]),
  };
  seen.set(kind, (seen.get(kind) ?? 0) + 1);
  await ways[kind]();
}

async function setRate(random: Random): Promise<void> {
  const rate = random.between((ONE * 9n) / 10n, (ONE * 12n) / 10n);
  const { abi } = compiled("DevnetRateProvider");
  await anvil.send(random.pick(providers), encodeFunctionData({ abi, functionName: "setRate", args: [rate] }));
}

async function swap({ poolId, tokens }: Made, random: Random): Promise<void> {
  const { sell, buy } = anyDirection(tokens.length, random);
  const [sellToken, buyToken] = [tokens[sell] as Address, tokens[buy] as Address];
  const amount = BigInt(random.int(1, 20_000)) * 10n ** BigInt(decimalsOf.get(sellToken) as number);
  await anvil.send(world.vault, swapData(anvil.account, { poolId, exactIn: true, sellToken, buyToken, amount }));
}

async function joinOrExit({ poolId, tokens }: Made, random: Random, joins: boolean): Promise<void> {
  const amounts = tokens.map((token) => BigInt(random.int(1, 5_000)) * 10n ** BigInt(decimalsOf.get(token) as number));
  // Joins with exact tokens; exits with all tokens for exact shares.
  const userData: Hex = joins
    ? encodeAbiParameters([{ type: "uint256" }, { type: "uint256[]" }, { type: "uint256" }], [1n, amounts, 0n])
    : encodeAbiParameters([{ type: "uint256" }, { type: "uint256" }], [1n, 10n ** 21n]);
  const limits = tokens.map(() => (joins ? maxUint256 : 0n));
  const request = { assets: tokens, [joins ? "maxAmountsIn" : "minAmountsOut"]: limits, userData };
  const flag = joins ? { fromInternalBalance: false } : { toInternalBalance: false };
  const args = [poolId, anvil.account, anvil.account, { ...request, ...flag }];
  await anvil.send(world.vault, balancerCall("BalancerVault", joins ? "joinPool" : "exitPool", args));
}

function anyDirection(tokens: number, random: Random) {
  const sell = random.int(0, tokens - 1);
  return { sell, buy: (sell + random.int(1, tokens - 1)) % tokens };
}

const refsOf = () => pools.map(({ poolId, tokens }) => ({ id: poolId, address: world.vault, tokens, terms: {} }));

test("pools are what vault and contracts say at every block", async () => {
  const random = createRandom(173);
  const seen = new Map<string, number>();
  const start = await anvil.mine();
  const { refs, applied } = await sourceContract({
    ...{ source, reader: anvil.reader, start, blocks: BLOCKS, logsOf: anvil.logsOf },
    act: async () => {
      for (let count = random.int(0, 3); count > 0; count--) await disturb(random, seen);
      if (random.chance(0.3)) await anvil.rpc("evm_increaseTime", [random.int(1, 4_000)]);
      return anvil.mine();
    },
  });
  expect(refs.map(({ id }) => id).sort()).toEqual(pools.map(({ poolId }) => poolId).sort());
  expect(seen.size).toBe(KINDS.length);
  expect(applied.size).toBe(2);
});

test("a swap in the vault pays or costs what was quoted, and leaves what was said", async () => {
  const random = createRandom(174);
  for (const { address } of pools) await anvil.send(address, firstPoolCall("setPaused", [false]));
  let at = await anvil.mine();
  let synced = await source.sync(anvil.reader, refsOf(), at);
  expect(synced.length).toBe(pools.length);
  // A call that reverts is made again alone, and these are made for every block.
  const asked: ChainReader = {
    ...anvil.reader,
    async calls(calls, block) {
      const answers = await anvil.reader.calls(calls, block);
      expect(answers).not.toContain(undefined);
      return answers;
    },
  };
  expect(await source.refresh?.(asked, synced, at)).toEqual(synced);
  const seen = { in: 0, out: 0, refused: 0 };
  for (let count = 0; count < SWAPS; count++) {
    const pool = random.pick(synced);
    const direction = anyDirection(pool.tokens.length, random);
    const math = mathOf(pool);
    const exactIn = random.chance(0.5);
    const time = at.timestamp + BigInt(random.pick([1, 1, 61, 4_000]));
    const limits = math.limits(pool.state, direction, time);
    const most = exactIn ? limits.maxSell : limits.maxBuy;
    const amount = random.between(most / 10n ** 6n + 1n, most / 50n + 2n);
    const quote = math[exactIn ? "quoteExactIn" : "quoteExactOut"](pool.state, direction, amount, time);
    if (isRejection(quote)) {
      seen.refused++;
      continue;
    }
    const [sellToken, buyToken] = [pool.tokens[direction.sell] as Address, pool.tokens[direction.buy] as Address];
    await anvil.rpc("evm_setNextBlockTimestamp", [Number(time)]);
    const poolId = pool.id as Hex;
    await anvil.send(world.vault, swapData(anvil.account, { poolId, exactIn, sellToken, buyToken, amount }));
    at = await anvil.mine();
    const logs = (await anvil.logsOf(at)).filter((log) => log.address === world.vault);
    const log = logs.find(({ topics }) => topics[1] === pool.id);
    const moved = [0, 1].map((word) => BigInt(`0x${log?.data.slice(2 + 64 * word, 66 + 64 * word)}`));
    expect(moved).toEqual(exactIn ? [amount, quote.amount] : [quote.amount, amount]);
    synced = await source.sync(anvil.reader, refsOf(), at);
    expect(synced.find(({ id }) => id === pool.id)?.state).toEqual(quote.next);
    seen[exactIn ? "in" : "out"]++;
  }
  expect(seen.refused).toBeLessThan(SWAPS / 10);
  expect(Math.min(seen.in, seen.out)).toBeGreaterThan(SWAPS / 4);
});

test("what the vault would pay for any amount is what is quoted", async () => {
  const random = createRandom(175);
  const at = await anvil.mine();
  const synced = await source.sync(anvil.reader, refsOf(), at);
  let compared = 0;
  for (let count = 0; count < 2 * SWAPS; count++) {
    const pool = random.pick(synced);
    const direction = anyDirection(pool.tokens.length, random);
    const exactIn = random.chance(0.5);
    const math = mathOf(pool);
    const { maxSell, maxBuy } = math.limits(pool.state, direction, at.timestamp);
    const most = exactIn ? maxSell : maxBuy;
    const amount = random.chance(0.1) ? most : random.between(1n, most);
    const quote = math[exactIn ? "quoteExactIn" : "quoteExactOut"](pool.state, direction, amount, at.timestamp);
    const [sellToken, buyToken] = [pool.tokens[direction.sell] as Address, pool.tokens[direction.buy] as Address];
    const paid = await queried(anvil, world, { poolId: pool.id as Hex, exactIn, sellToken, buyToken, amount });
    if (isRejection(quote)) {
      expect(quote.rejected).toBe("TOO_SMALL");
      expect(paid ?? 0n).toBe(0n);
      continue;
    }
    expect(paid).toBe(quote.amount);
    compared++;
  }
  expect(compared).toBeGreaterThan(SWAPS);
});

test("a pool counts as of the kind of its factory alone", async () => {
  const at = await anvil.head();
  const others = balancerV2({
    ...{ protocol: "balancer-v2", source: "Balancer_V2", vault: world.vault, fromBlock: 0n },
    factories: [
      { factory: factories.weighted, kind: "meta-stable" },
      { factory: factories.twoTokens, kind: "weighted" },
      { factory: factories.metaStable, kind: "composable-stable" },
    ],
  });
  const read = await others.sync(anvil.reader, refsOf(), at);
  expect(read.map(({ id }) => id)).toEqual([pools[1]?.poolId]);
  expect(read[0]?.state).not.toHaveProperty("firstVersion");
});
