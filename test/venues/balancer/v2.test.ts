import { encodeAbiParameters, encodeFunctionData, erc20Abi, type Hex, maxUint256 } from "viem";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { bundled } from "../../../src/devnet/bundle.ts";
import { type Address, toAddress, ZERO_ADDRESS } from "../../../src/domain/address.ts";
import type { ChainReader } from "../../../src/market/chain-reader.ts";
import type { LiquiditySource } from "../../../src/market/liquidity-source.ts";
import { mathOf, type Pool } from "../../../src/pools/pool.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { balancerV2 } from "../../../src/venues/balancer-v2/source.ts";
import { sourceContract } from "../../support/suites/source-contract.ts";
import { type Anvil, startAnvil } from "../worlds/anvil.ts";
import {
  allow,
  type BalancerPool,
  type BalancerWorld,
  balancerCall,
  createStable,
  createWeighted,
  deployBalancer,
  deployRateProvider,
  fill,
  queried,
  setProtocolFees,
  swapData,
} from "../worlds/balancer.ts";
import { compiled } from "../worlds/compiled.ts";
import { mintedToken } from "../worlds/traffic/minted-tokens.ts";
import { createRandom, type Random } from "../worlds/traffic/random.ts";

const LONG = process.env.TRIBUTARY_LONG === "1";
const BLOCKS = LONG ? 600 : 60;
const SWAPS = LONG ? 3_000 : 150;

vi.setConfig({ testTimeout: LONG ? 3_600_000 : 180_000, hookTimeout: 180_000 });

const ONE = 10n ** 18n;
const DAY = 86_400n;

let anvil: Anvil;
let world: BalancerWorld;
let source: LiquiditySource;
let pools: readonly (BalancerPool & { readonly decimals: ReadonlyMap<Address, number>; readonly stable: boolean })[];
const providers: Address[] = [];

beforeAll(async () => {
  anvil = await startAnvil();
  world = await deployBalancer(anvil);
  await setProtocolFees(anvil, world, ONE / 2n, ONE / 2n);
  const decimalsOf = new Map<Address, number>();
  for (const decimals of [18, 6, 8, 18]) decimalsOf.set(await mintedToken(anvil, decimals), decimals);
  const tokens = [...decimalsOf.keys()].sort();
  for (let i = 0; i < 2; i++) providers.push(await deployRateProvider(anvil, ONE + BigInt(i) * 10n ** 16n));
  const weights = [ONE / 2n, ONE / 5n, (3n * ONE) / 10n];
  const made = [
    await createWeighted(anvil, world, { tokens: tokens.slice(0, 3), weights, fee: 3n * 10n ** 15n }),
    await createWeighted(anvil, world, {
      tokens: tokens.slice(2),
      weights: [ONE / 5n, (4n * ONE) / 5n],
      fee: 10n ** 15n,
    }),
    await createStable(anvil, world, {
      ...{ tokens: tokens.slice(0, 3), amplification: 200n, fee: 4n * 10n ** 14n },
      ...{ rateProviders: [providers[0] as Address, ZERO_ADDRESS, providers[1] as Address] },
      ...{ durations: [60n, 0n, 3_600n], exempt: [true, false, false] },
    }),
    await createStable(anvil, world, {
      ...{ tokens: tokens.slice(1, 3), amplification: 1_000n, fee: 10n ** 14n },
      ...{ rateProviders: [ZERO_ADDRESS, ZERO_ADDRESS], durations: [0n, 0n], exempt: [false, false] },
    }),
  ];
  for (const pool of made) {
    const amounts = pool.tokens.map((token) => 10n ** BigInt((decimalsOf.get(token) ?? 27) + 6));
    await fill(
      anvil,
      world,
      pool,
      amounts.map((amount, i) => (pool.tokens[i] === pool.address ? 1n << 111n : amount)),
    );
  }
  pools = made.map((pool, i) => ({ ...pool, decimals: decimalsOf, stable: i > 1 }));
  for (const { address, stable } of pools) {
    const { abi } = bundled(stable ? "BalancerComposableStablePool" : "BalancerWeightedPool");
    for (const name of ["pause", "unpause", "enableRecoveryMode", "disableRecoveryMode"])
      await allow(anvil, world, address, abi, name);
  }
  for (const { address, tokens } of pools) {
    const approve = { abi: erc20Abi, functionName: "approve", args: [world.vault, maxUint256] } as const;
    for (const token of [...tokens, address]) await anvil.send(token, encodeFunctionData(approve));
  }
  await anvil.mine();
  source = balancerV2({
    ...{ protocol: "balancer-v2", source: "Balancer_V2", vault: world.vault, fromBlock: 0n },
    factories: [
      { factory: world.weightedFactory, kind: "weighted" },
      { factory: world.stableFactory, kind: "composable-stable" },
    ],
  });
});
afterAll(() => anvil?.stop());

const KINDS = ["swap", "join", "exit", "fee", "pause", "recovery", "rate", "ramp", "cache"] as const;
const OFTEN = ["swap", "swap", "swap", "swap", "ramp", "cache"] as const;

/** Something that changes a pool: mostly swaps. */
async function disturb(random: Random, seen: Map<string, number>): Promise<void> {
  const kind = KINDS.find((each) => !seen.has(each)) ?? random.pick([...KINDS, ...OFTEN]);
  const pool = random.pick(kind === "ramp" || kind === "cache" ? pools.filter(({ stable }) => stable) : pools);
  const name = pool.stable ? "BalancerComposableStablePool" : "BalancerWeightedPool";
  const send = (functionName: string, args: readonly unknown[]) =>
    anvil.send(pool.address, balancerCall(name, functionName, args));
  const ways: Record<(typeof KINDS)[number], () => Promise<unknown>> = {
    swap: () => swap(pool, random),
    join: () => joinOrExit(pool, random, true),
    exit: () => joinOrExit(pool, random, false),
    fee: () => send("setSwapFeePercentage", [random.between(10n ** 12n, 10n ** 17n)]),
    pause: () => send(random.chance(0.3) ? "pause" : "unpause", []),
    recovery: () => send(random.chance(0.3) ? "enableRecoveryMode" : "disableRecoveryMode", []),
    rate: () => setRate(random),
    ramp: async () => {
      const { timestamp } = await anvil.head();
      await send("stopAmplificationParameterUpdate", []);
      await send("startAmplificationParameterUpdate", [BigInt(random.int(150, 1_500)), timestamp + 10n * DAY]);
    },
    cache: () => send("updateTokenRateCache", [random.pick(pool.tokens)]),
  };
  seen.set(kind, (seen.get(kind) ?? 0) + 1);
  await ways[kind]();
}

async function setRate(random: Random): Promise<void> {
  const rate = random.between((ONE * 9n) / 10n, (ONE * 12n) / 10n);
  const { abi } = compiled("DevnetRateProvider");
  await anvil.send(random.pick(providers), encodeFunctionData({ abi, functionName: "setRate", args: [rate] }));
}

async function swap(pool: (typeof pools)[number], random: Random): Promise<void> {
  const sell = random.int(0, pool.tokens.length - 1);
  const buy = (sell + random.int(1, pool.tokens.length - 1)) % pool.tokens.length;
  const [sellToken, buyToken] = [pool.tokens[sell] as Address, pool.tokens[buy] as Address];
  const amount = BigInt(random.int(1, 20_000)) * 10n ** BigInt(pool.decimals.get(sellToken) ?? 18);
  const { poolId } = pool;
  await anvil.send(world.vault, swapData(anvil.account, { poolId, exactIn: true, sellToken, buyToken, amount }));
}

async function joinOrExit(
  { poolId, tokens, address, stable, decimals }: (typeof pools)[number],
  random: Random,
  joins: boolean,
) {
  const listed = tokens.filter((token) => token !== address);
  const amounts = listed.map((token) => BigInt(random.int(1, 5_000)) * 10n ** BigInt(decimals.get(token) as number));
  // Joins with exact tokens; exits with all tokens for exact shares, or of a stable pool with exact tokens.
  const lists = [{ type: "uint256" }, { type: "uint256[]" }, { type: "uint256" }] as const;
  const proportional = encodeAbiParameters([lists[0], lists[2]], [stable ? 2n : 1n, 10n ** 21n]);
  const userData: Hex = joins ? encodeAbiParameters(lists, [1n, amounts, 0n]) : proportional;
  const limits = tokens.map(() => (joins ? maxUint256 : 0n));
  const request = { assets: tokens, [joins ? "maxAmountsIn" : "minAmountsOut"]: limits, userData };
  const flag = joins ? { fromInternalBalance: false } : { toInternalBalance: false };
  const args = [poolId, anvil.account, anvil.account, { ...request, ...flag }];
  await anvil.send(world.vault, balancerCall("BalancerVault", joins ? "joinPool" : "exitPool", args));
}

test("pools are what vault and contracts say at every block", async () => {
  const random = createRandom(73);
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
  for (const count of applied.values()) expect(count).toBeGreaterThan(BLOCKS / 20);
});

test("a swap in the vault pays or costs what was quoted, and leaves what was said", async () => {
  const random = createRandom(74);
  for (const { address, stable } of pools) {
    const name = stable ? "BalancerComposableStablePool" : "BalancerWeightedPool";
    for (const call of ["unpause", "disableRecoveryMode"]) await anvil.send(address, balancerCall(name, call, []));
  }
  const refs = pools.map(({ poolId, tokens }) => ({ id: poolId, address: world.vault, tokens, terms: {} }));
  let at = await anvil.mine();
  let synced = await source.sync(anvil.reader, refs, at);
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
  const seen = { in: 0, out: 0, share: 0, refused: 0 };
  for (let count = 0; count < SWAPS; count++) {
    const pool = random.pick(synced);
    const made = pools.find(({ poolId }) => poolId === pool.id) as (typeof pools)[number];
    const sell = random.int(0, pool.tokens.length - 1);
    const buy = (sell + random.int(1, pool.tokens.length - 1)) % pool.tokens.length;
    const math = mathOf(pool);
    const exactIn = random.chance(0.5);
    const time = at.timestamp + BigInt(random.pick([1, 1, 61, 4_000]));
    const limits = math.limits(pool.state, { sell, buy }, time);
    const most = exactIn ? limits.maxSell : limits.maxBuy;
    const amount = most < 1_000n ? most : random.between(most / 10n ** 6n + 1n, most / 50n + 2n);
    const quote = exactIn
      ? math.quoteExactIn(pool.state, { sell, buy }, amount, time)
      : math.quoteExactOut(pool.state, { sell, buy }, amount, time);
    if (isRejection(quote)) {
      seen.refused++;
      continue;
    }
    const [sellToken, buyToken] = [pool.tokens[sell] as Address, pool.tokens[buy] as Address];
    await anvil.rpc("evm_setNextBlockTimestamp", [Number(time)]);
    const asked = { poolId: made.poolId, exactIn, sellToken, buyToken, amount };
    await anvil.send(world.vault, swapData(anvil.account, asked));
    at = await anvil.mine();
    const logs = (await anvil.logsOf(at)).filter((log) => log.address === world.vault);
    const log = logs.find(({ topics }) => topics[1] === pool.id);
    const moved = [0, 1].map((word) => BigInt(`0x${log?.data.slice(2 + 64 * word, 66 + 64 * word)}`));
    expect(moved).toEqual(exactIn ? [amount, quote.amount] : [quote.amount, amount]);
    synced = await source.sync(anvil.reader, refs, at);
    expect(synced.find(({ id }) => id === pool.id)?.state).toEqual(quote.next);
    seen[exactIn ? "in" : "out"]++;
    if (sellToken === made.address || buyToken === made.address) seen.share++;
  }
  expect(seen.refused).toBeLessThan(SWAPS / 10);
  expect(seen.share).toBeGreaterThan(SWAPS / 10);
  expect(Math.min(seen.in, seen.out)).toBeGreaterThan(SWAPS / 4);
});

test("what the vault would pay for any amount is what is quoted", async () => {
  const random = createRandom(75);
  const refs = pools.map(({ poolId, tokens }) => ({ id: poolId, address: world.vault, tokens, terms: {} }));
  const at = await anvil.mine();
  const synced = await source.sync(anvil.reader, refs, at);
  let compared = 0;
  for (let count = 0; count < SWAPS; count++) {
    const pool = random.pick(synced);
    const sell = random.int(0, pool.tokens.length - 1);
    const buy = (sell + random.int(1, pool.tokens.length - 1)) % pool.tokens.length;
    const exactIn = random.chance(0.5);
    const math = mathOf(pool);
    const { maxSell, maxBuy } = math.limits(pool.state, { sell, buy }, at.timestamp);
    const amount = random.between(1n, exactIn ? maxSell : maxBuy);
    const quote = math[exactIn ? "quoteExactIn" : "quoteExactOut"](pool.state, { sell, buy }, amount, at.timestamp);
    const [sellToken, buyToken] = [pool.tokens[sell] as Address, pool.tokens[buy] as Address];
    const paid = await queried(anvil, world, { poolId: pool.id as Hex, exactIn, sellToken, buyToken, amount });
    if (isRejection(quote)) {
      expect(quote.rejected).toBe("TOO_SMALL");
      expect(paid ?? 0n).toBe(0n);
      continue;
    }
    expect(paid).toBe(quote.amount);
    compared++;
  }
  expect(compared).toBeGreaterThan(SWAPS / 2);
});

test("pools of other factories, managed ones and those with other tokens are left out", async () => {
  const at = await anvil.head();
  const [first] = pools;
  if (first === undefined) throw new Error("no pool");
  const ref = { id: first.poolId, address: world.vault, tokens: first.tokens, terms: {} };
  const ofStable = balancerV2({
    ...{ protocol: "balancer-v2", source: "Balancer_V2", vault: world.vault, fromBlock: 0n },
    factories: [{ factory: world.stableFactory, kind: "composable-stable" }],
  });
  expect(await ofStable.sync(anvil.reader, [ref], at)).toEqual([]);
  expect(await source.sync(anvil.reader, [{ ...ref, tokens: [...ref.tokens].reverse() }], at)).toEqual([]);
  const { creation } = source;
  const [log] = creation === undefined ? [] : await anvil.reader.logs({ ...creation, fromBlock: 0n, to: at });
  if (log === undefined) throw new Error("no log");
  expect(source.created?.(log)).toBeDefined();
  const managed = `${log.data.slice(0, -40)}${anvil.account.slice(2)}` as Hex;
  expect(source.created?.({ ...log, data: managed })).toBeUndefined();
});

test("a pool's action names the vault and its id", () => {
  const [pool] = pools;
  const fill = { sellAmount: 1n, buyAmount: 1n, gas: 0n, share: 1n } as never;
  expect(source.action({ id: pool?.poolId } as Pool, fill)).toEqual({
    ...{ action: "balancer-v2-pool", vault: toAddress(world.vault), poolId: pool?.poolId },
  });
});

test("the ramps of all pools are looked for together", async () => {
  const refs = pools.map(({ poolId, tokens }) => ({ id: poolId, address: world.vault, tokens, terms: {} }));
  for (const { address } of pools.filter(({ stable }) => stable)) {
    const start = balancerCall("BalancerComposableStablePool", "startAmplificationParameterUpdate", [
      300n,
      (await anvil.head()).timestamp + 10n * DAY,
    ]);
    await anvil.send(address, balancerCall("BalancerComposableStablePool", "stopAmplificationParameterUpdate", []));
    await anvil.send(address, start);
  }
  await anvil.mine();
  await anvil.rpc("anvil_mine", ["0x4"]);
  let at = await anvil.head();
  const ranges: bigint[] = [];
  const reader: ChainReader = {
    ...anvil.reader,
    logs(filter) {
      ranges.push(filter.to.number - filter.fromBlock);
      return anvil.reader.logs(filter);
    },
  };
  const synced = await source.sync(reader, refs, at);
  expect(synced.length).toBe(pools.length);
  expect(ranges).toEqual([at.number]);
  at = await anvil.mine();
  expect(await source.refresh?.(reader, synced, at)).toHaveLength(pools.length);
  expect(ranges.slice(1)).toEqual([0n]);
});
