import type { Hex } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundled } from "../../../src/devnet/contracts/bundle.ts";
import { type Address, toAddress, ZERO_ADDRESS } from "../../../src/domain/address.ts";
import type { ChainReader } from "../../../src/market/chain-reader.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { balancerV2 } from "../../../src/venues/balancer-v2/source.ts";
import { sourceContract } from "../../market/liquidity-source.suite.ts";
import { type Anvil, startAnvil } from "../worlds/anvil.ts";
import {
  allow,
  type BalancerWorld,
  balancerCall,
  createStable,
  createWeighted,
  deployBalancer,
  deployRateProvider,
  fill,
  setProtocolFees,
} from "../worlds/balancer.ts";
import { mintedToken } from "../worlds/traffic/minted-tokens.ts";
import { createRandom, type Random } from "../worlds/traffic/random.ts";
import {
  approveVault,
  compareQueries,
  compareSwaps,
  joinOrExit,
  refsOf,
  setAnyRate,
  swapAny,
  type VaultMarket,
} from "../worlds/traffic/vault-trades.ts";

const LONG = process.env.TRIBUTARY_LONG === "1";
const BLOCKS = LONG ? 600 : 30;
const SWAPS = LONG ? 3_000 : 75;

const ONE = 10n ** 18n;
const DAY = 86_400n;

let anvil: Anvil;
let world: BalancerWorld;
let market: VaultMarket;

beforeAll(async () => {
  anvil = await startAnvil();
  world = await deployBalancer(anvil);
  await setProtocolFees(anvil, world, ONE / 2n, ONE / 2n);
  const decimals = new Map<Address, number>();
  const providers: Address[] = [];
  for (const each of [18, 6, 8, 18]) decimals.set(await mintedToken(anvil, each), each);
  const tokens = [...decimals.keys()].sort();
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
    const amounts = pool.tokens.map((token) => 10n ** BigInt((decimals.get(token) ?? 27) + 6));
    await fill(
      anvil,
      world,
      pool,
      amounts.map((amount, i) => (pool.tokens[i] === pool.address ? 1n << 111n : amount)),
    );
  }
  const pools = made.map((pool, i) => ({ ...pool, stable: i > 1, exitKind: i > 1 ? 2n : 1n }));
  for (const { address, stable } of pools) {
    const { abi } = bundled(stable ? "BalancerComposableStablePool" : "BalancerWeightedPool");
    for (const name of ["pause", "unpause", "enableRecoveryMode", "disableRecoveryMode"])
      await allow(anvil, world, address, abi, name);
  }
  for (const { address, tokens } of pools) await approveVault(anvil, world, [...tokens, address]);
  await anvil.mine();
  const source = balancerV2({
    ...{ protocol: "balancer-v2", source: "Balancer_V2", vault: world.vault, fromBlock: 0n },
    factories: [
      { factory: world.weightedFactory, kind: "weighted" },
      { factory: world.stableFactory, kind: "composable-stable" },
    ],
  });
  market = { anvil, world, source, pools, decimals, providers };
});
afterAll(() => anvil?.stop());

const KINDS = ["swap", "join", "exit", "fee", "pause", "recovery", "rate", "ramp", "cache"] as const;
const OFTEN = ["swap", "swap", "swap", "swap", "ramp", "cache"] as const;

/** Something that changes a pool: mostly swaps. */
async function disturb(random: Random, seen: Map<string, number>): Promise<void> {
  const kind = KINDS.find((each) => !seen.has(each)) ?? random.pick([...KINDS, ...OFTEN]);
  const { pools } = market;
  const pool = random.pick(kind === "ramp" || kind === "cache" ? pools.filter(({ stable }) => stable) : pools);
  const name = pool.stable ? "BalancerComposableStablePool" : "BalancerWeightedPool";
  const send = (functionName: string, args: readonly unknown[]) =>
    anvil.send(pool.address, balancerCall(name, functionName, args));
  const ways: Record<(typeof KINDS)[number], () => Promise<unknown>> = {
    swap: () => swapAny(market, pool, random),
    join: () => joinOrExit(market, pool, random, true),
    exit: () => joinOrExit(market, pool, random, false),
    fee: () => send("setSwapFeePercentage", [random.between(10n ** 12n, 10n ** 17n)]),
    pause: () => send(random.chance(0.3) ? "pause" : "unpause", []),
    recovery: () => send(random.chance(0.3) ? "enableRecoveryMode" : "disableRecoveryMode", []),
    rate: () => setAnyRate(market, random),
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

test("pools are what vault and contracts say at every block", async () => {
  const { source, pools } = market;
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
  for (const { address, stable } of market.pools) {
    const name = stable ? "BalancerComposableStablePool" : "BalancerWeightedPool";
    for (const call of ["unpause", "disableRecoveryMode"]) await anvil.send(address, balancerCall(name, call, []));
  }
  const { trades, refused } = await compareSwaps(market, createRandom(74), SWAPS);
  expect(refused).toBeLessThan(SWAPS / 10);
  const ownShares = new Set(market.pools.map(({ address }) => address));
  const ofShares = trades.filter(({ sellToken, buyToken }) => ownShares.has(sellToken) || ownShares.has(buyToken));
  expect(ofShares.length).toBeGreaterThan(SWAPS / 10);
  for (const side of [true, false])
    expect(trades.filter(({ exactIn }) => exactIn === side).length).toBeGreaterThan(SWAPS / 4);
});

test("what the vault would pay for any amount is what is quoted", async () => {
  const compared = await compareQueries(market, createRandom(75), { count: SWAPS, wholeLimit: 0 });
  expect(compared).toBeGreaterThan(SWAPS / 2);
});

test("pools of other factories, managed ones and those with other tokens are left out", async () => {
  const { source, pools } = market;
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
  const { source, pools } = market;
  const [pool] = pools;
  const fill = { sellAmount: 1n, buyAmount: 1n, gas: 0n, share: 1n } as never;
  expect(source.action({ id: pool?.poolId } as Pool, fill)).toEqual({
    ...{ action: "balancer-v2-pool", vault: toAddress(world.vault), poolId: pool?.poolId },
  });
});

test("the ramps of all pools are looked for together", async () => {
  const { source, pools } = market;
  const refs = refsOf(market);
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
