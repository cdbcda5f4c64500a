import { encodeFunctionData, type Hex, toFunctionSelector } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Address, ZERO_ADDRESS } from "../../../src/domain/address.ts";
import type { Call, ChainReader } from "../../../src/market/chain-reader.ts";
import { balancerV2 } from "../../../src/venues/balancer-v2/source.ts";
import { sourceContract } from "../../market/liquidity-source.suite.ts";
import { ellipseParameters, rootOfPrice } from "../../pools/gyro/arbitrary-gyro.ts";
import { type Anvil, startAnvil } from "../worlds/anvil.ts";
import { type BalancerWorld, deployBalancer, deployRateProvider, fill } from "../worlds/balancer.ts";
import { compiled } from "../worlds/compiled.ts";
import { deployGyro, type GyroTerms, type MakeGyro } from "../worlds/gyro.ts";
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
  type VaultPool,
} from "../worlds/traffic/vault-trades.ts";

/** Gyroscope's pools in the bytecode of Balancer's vault, by contracts of ours. */

const LONG = process.env.TRIBUTARY_LONG === "1";
const BLOCKS = LONG ? 600 : 30;
const SWAPS = LONG ? 3_000 : 60;

const ONE = 10n ** 18n;
const POOL = compiled("DevnetGyroPool").abi;

let anvil: Anvil;
let world: BalancerWorld;
let market: VaultMarket;
let factories: Awaited<ReturnType<typeof deployGyro>>["factories"];
let make: MakeGyro;

beforeAll(async () => {
  anvil = await startAnvil();
  world = await deployBalancer(anvil);
  ({ factories, make } = await deployGyro(anvil, world));
  const decimals = new Map<Address, number>();
  const providers: Address[] = [];
  for (const each of [18, 6, 8, 18]) decimals.set(await mintedToken(anvil, each), each);
  const tokens = [...decimals.keys()].sort();
  for (let i = 0; i < 2; i++) providers.push(await deployRateProvider(anvil, ONE + BigInt(i) * 10n ** 16n));
  const roots = [rootOfPrice((ONE * 8n) / 10n), rootOfPrice((ONE * 12n) / 10n)];
  const [alpha, beta] = [(ONE * 8n) / 10n, (ONE * 13n) / 10n];
  const round = ellipseParameters({ alpha, beta, peg: ONE, lambda: 50n * ONE });
  const terms: readonly GyroTerms[] = [
    {
      ...{ kind: "2clp", tokens: tokens.slice(0, 2), parameters: roots },
      ...{ fee: 10n ** 15n, rateProviders: [undefined, undefined] },
    },
    {
      ...{ kind: "2clp", tokens: tokens.slice(1, 3), parameters: roots },
      ...{ fee: 3n * 10n ** 15n, rateProviders: [undefined, providers[0]] },
    },
    {
      ...{ kind: "3clp", tokens: tokens.slice(0, 3), parameters: [(ONE * 99n) / 100n] },
      ...{ fee: 2_500_000_000_000_001n, rateProviders: [undefined, undefined, undefined] },
    },
    {
      ...{ kind: "eclp", tokens: tokens.slice(2), parameters: round },
      ...{ fee: 10n ** 14n, rateProviders: [providers[1], providers[0]] },
    },
    {
      ...{ kind: "eclp", tokens: tokens.slice(0, 2), parameters: round },
      ...{ fee: 10n ** 14n, rateProviders: [undefined, undefined] },
    },
  ];
  const pools: VaultPool[] = [];
  for (const each of terms) pools.push({ ...(await make(each)), stable: false, exitKind: 1n });
  for (const pool of pools) {
    const held = pool.tokens.map((token) => 10n ** BigInt((decimals.get(token) as number) + 6));
    await fill(anvil, world, pool, held);
    await approveVault(anvil, world, pool.tokens);
  }
  await anvil.mine();
  market = { anvil, world, source: sourceOf(factories), pools, decimals, providers };
});
afterAll(() => anvil?.stop());

function sourceOf(list: typeof factories) {
  const terms = { protocol: "balancer-v2", source: "Balancer_V2", vault: world.vault, fromBlock: 0n } as const;
  return balancerV2({ ...terms, factories: list });
}

const sendTo = (pool: Address, functionName: string, args: readonly unknown[]) =>
  anvil.send(pool, encodeFunctionData({ abi: POOL, functionName, args }));

const KINDS = ["swap", "join", "exit", "fee", "pause", "rate"] as const;
const OFTEN = ["swap", "swap", "swap"] as const;

/** Something that changes a pool: mostly swaps. */
async function disturb(random: Random, seen: Map<string, number>): Promise<void> {
  const kind = KINDS.find((each) => !seen.has(each)) ?? random.pick([...KINDS, ...OFTEN]);
  const pool = random.pick(market.pools);
  const ways: Record<(typeof KINDS)[number], () => Promise<unknown>> = {
    swap: () => swapAny(market, pool, random),
    join: () => joinOrExit(market, pool, random, true),
    exit: () => joinOrExit(market, pool, random, false),
    fee: () => sendTo(pool.address, "setSwapFeePercentage", [random.between(10n ** 12n, 10n ** 17n)]),
    pause: () => sendTo(pool.address, "setPaused", [random.chance(0.3)]),
    rate: () => setAnyRate(market, random),
  };
  seen.set(kind, (seen.get(kind) ?? 0) + 1);
  await ways[kind]();
}

test("pools are what vault and contracts say at every block", async () => {
  const { source, pools } = market;
  const random = createRandom(273);
  const seen = new Map<string, number>();
  const start = await anvil.mine();
  const { refs, applied } = await sourceContract({
    ...{ source, reader: anvil.reader, start, blocks: BLOCKS, logsOf: anvil.logsOf },
    act: async () => {
      for (let count = random.int(0, 3); count > 0; count--) await disturb(random, seen);
      return anvil.mine();
    },
  });
  expect(refs.map(({ id }) => id).sort()).toEqual(pools.map(({ poolId }) => poolId).sort());
  expect(seen.size).toBe(KINDS.length);
  expect(applied.size).toBe(2);
});

test("a swap in the vault pays or costs what was quoted, and leaves what was said", async () => {
  for (const { address } of market.pools) await sendTo(address, "setPaused", [false]);
  const { trades, refused } = await compareSwaps(market, createRandom(274), SWAPS);
  expect(refused).toBeLessThan(SWAPS / 10);
  for (const side of [true, false])
    expect(trades.filter(({ exactIn }) => exactIn === side).length).toBeGreaterThan(SWAPS / 4);
});

test("what the vault would pay for any amount is what is quoted", async () => {
  const compared = await compareQueries(market, createRandom(275), { count: 2 * SWAPS, wholeLimit: 0.1 });
  expect(compared).toBeGreaterThan(SWAPS);
});

test("rate providers and the owner are a pool's controllers", async () => {
  const pools = await market.source.sync(anvil.reader, refsOf(market), await anvil.mine());
  const controllers = market.pools.map(({ poolId }) => pools.find(({ id }) => id === poolId)?.controllers);
  const [first, second] = market.providers;
  expect(controllers).toEqual([
    ...[[anvil.account], [anvil.account, first], [anvil.account]],
    ...[[anvil.account, second, first], [anvil.account]],
  ]);
});

/** A reader with other answers to some calls. */
const answering = (change: (call: Call, answer: Hex | undefined) => Hex | undefined): ChainReader => ({
  ...anvil.reader,
  calls: async (calls, block) => {
    const answers = await anvil.reader.calls(calls, block);
    return answers.map((answer, i) => change(calls[i]!, answer));
  },
});

/** A reader that has the vault say another last digit of each swap. */
const otherQueries = () =>
  answering(({ to }, answer): Hex | undefined => {
    const isQuery = to === world.vault && (answer?.length ?? 0) === 2 + 4 * 64;
    return isQuery ? `0x${answer!.slice(2, -1)}${answer!.endsWith("0") ? "1" : "0"}` : answer;
  });

test("a pool that the vault says otherwise of than we compute is left out and told", async () => {
  const at = await anvil.mine();
  const told: string[] = [];
  const read = await market.source.sync(otherQueries(), refsOf(market), at, (_, reason) => told.push(reason));
  expect(read).toEqual([]);
  expect(told).toEqual(market.pools.map(() => "UNKNOWN_VERSION"));
});

test("a pool that was paused when it was read proves its maths once it is not", async () => {
  const { source, pools } = market;
  const refs = refsOf(market);
  const pauseAll = async (isPaused: boolean) => {
    for (const { address } of pools) await sendTo(address, "setPaused", [isPaused]);
    return anvil.mine();
  };
  const paused = await source.sync(otherQueries(), refs, await pauseAll(true));
  expect(paused.map(({ state }) => state)).toEqual(pools.map(() => expect.objectContaining({ paused: true })));
  const at = await pauseAll(false);
  expect(await source.refresh!(otherQueries(), paused, at)).toEqual([]);
  const resumed = await source.refresh!(anvil.reader, paused, at);
  expect(resumed).toEqual(await source.sync(anvil.reader, refs, at));
  // Nothing is asked of pools that were not paused before.
  expect(await source.refresh!(otherQueries(), resumed, at)).toEqual(resumed);
});

test("an ellipse of parameters that do not fit each other is left out and told", async () => {
  const tokens = [...market.decimals.keys()].sort().slice(0, 2);
  const round = ellipseParameters({ alpha: (ONE * 8n) / 10n, beta: (ONE * 13n) / 10n, peg: ONE, lambda: 50n * ONE });
  const told: string[] = [];
  for (let index = 3; index < round.length; index++) {
    const parameters = round.with(index, round[index]! + 10n ** 12n);
    const rateProviders = [undefined, undefined];
    const pool = await make({ kind: "eclp", tokens, parameters, fee: 10n ** 15n, rateProviders });
    const held = tokens.map((token) => 10n ** BigInt(market.decimals.get(token)! + 6));
    await fill(anvil, world, pool, held);
    const ref = { id: pool.poolId, address: world.vault, tokens: pool.tokens, terms: {} };
    const read = market.source.sync(anvil.reader, [ref], await anvil.mine(), (_, reason) => told.push(reason));
    expect(await read).toEqual([]);
  }
  expect(told).toEqual(round.slice(3).map(() => "NOT_READABLE"));
});

test("a pool that does not tell its rate providers is not read, unless its build has none", async () => {
  const at = await anvil.mine();
  const rated = market.pools.filter(({ tokens }) => tokens.length === 2).map(({ poolId }) => poolId);
  const [first, second, rates] = ["rateProvider0()", "rateProvider1()", "getTokenRates()"].map((signature) =>
    toFunctionSelector(signature),
  ) as [Hex, Hex, Hex];
  const readWithout = async (...silent: readonly Hex[]) => {
    const told: string[] = [];
    const reader = answering(({ data }, answer) => (silent.includes(data) ? undefined : answer));
    const pools = await market.source.sync(reader, refsOf(market), at, (id, reason) => told.push(`${id} ${reason}`));
    return { told, read: pools.map(({ id }) => id) };
  };
  const notReadable = rated.map((id) => `${id} NOT_READABLE`);
  for (const silent of [[first], [second], [first, second], [first, rates]])
    expect((await readWithout(...silent)).told).toEqual(notReadable);
  // With none of the three, a pool whose rates count proves that they do.
  const { told, read } = await readWithout(first, second, rates);
  expect(new Set(told)).toEqual(new Set(rated.filter((id) => !read.includes(id)).map((id) => `${id} UNKNOWN_VERSION`)));
  expect(read.length).toBeGreaterThan(1);
  expect(told.length).toBeGreaterThan(0);
});

test("a pool counts as of the kind of its factory alone", async () => {
  const at = await anvil.mine();
  const [two, three, ellipse] = factories.map(({ factory }) => factory) as [Address, Address, Address];
  const others = sourceOf([
    { factory: two, kind: "gyro-eclp" },
    { factory: three, kind: "weighted-v1" },
    { factory: ellipse, kind: "gyro-2clp" },
  ]);
  const told: string[] = [];
  expect(await others.sync(anvil.reader, refsOf(market), at, (_, reason) => told.push(reason))).toEqual([]);
  expect(new Set(told)).toEqual(new Set(["NOT_READABLE"]));
});

test("an empty pool is read once it is filled, and one whose provider has no rate is left out", async () => {
  const tokens = [...market.decimals.keys()].sort().slice(0, 2);
  const provider = await deployRateProvider(anvil, ONE);
  const roots = [rootOfPrice(ONE / 2n), rootOfPrice(2n * ONE)];
  const rateProviders = [provider, undefined];
  const pool = await make({ kind: "2clp", tokens, parameters: roots, fee: 10n ** 15n, rateProviders });
  const ref = { id: pool.poolId, address: world.vault, tokens: pool.tokens, terms: {} };
  const told: string[] = [];
  const read = async () =>
    market.source.sync(anvil.reader, [ref], await anvil.mine(), (_, reason) => told.push(reason));
  expect(await read()).toEqual([]);
  await fill(
    anvil,
    world,
    pool,
    tokens.map((token) => 10n ** BigInt((market.decimals.get(token) as number) + 3)),
  );
  const [filled] = await read();
  expect(filled?.state).toMatchObject({ kind: "2clp", rated: [true, false], rates: [ONE, ONE] });
  const { abi } = compiled("DevnetRateProvider");
  await anvil.send(provider, encodeFunctionData({ abi, functionName: "setRate", args: [0n] }));
  expect(await read()).toEqual([]);
  expect(told).toEqual([]);
  expect(ZERO_ADDRESS).not.toBe(provider);
});
