import { encodeFunctionData } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundled } from "../../../src/devnet/contracts/bundle.ts";
import { type Address, ZERO_ADDRESS } from "../../../src/domain/address.ts";
import { composableStableMath } from "../../../src/pools/composable-stable/math.ts";
import type { ComposableStableState } from "../../../src/pools/composable-stable/state.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { countCases } from "../../support/suites/tried-cases.ts";
import { type Anvil, startAnvil } from "../../venues/worlds/anvil.ts";
import {
  type BalancerPool,
  type BalancerWorld,
  balancerCall,
  beTheVault,
  callsOfVault,
  createStable,
  deployBalancer,
  deployRateProvider,
  fill,
  setProtocolFees,
} from "../../venues/worlds/balancer.ts";
import { compiled } from "../../venues/worlds/compiled.ts";
import { mintedToken } from "../../venues/worlds/traffic/minted-tokens.ts";
import { createRandom, type Random } from "../../venues/worlds/traffic/random.ts";

/** Our numbers against `onSwap` of Balancer's own pool, called as by its vault, over balances of every size. */

const LONG = process.env.TRIBUTARY_LONG === "1";
const ROUNDS = LONG ? 40 : 3;
const CASES_PER_ROUND = LONG ? 150 : 30;

const NEVER = (1n << 256n) - 1n;
const ONE = 10n ** 18n;
/** Thousands of shares with nobody: what the pool is made with. */
const PREMINTED = 1n << 111n;

interface Kind {
  readonly decimals: readonly number[];
  readonly a: bigint;
  readonly fee: bigint;
  /** Seconds that a token's value is remembered for; none for a token without a value of its own. */
  readonly durations: readonly (bigint | undefined)[];
  readonly exempt: readonly boolean[];
}

const KINDS: readonly Kind[] = [
  { decimals: [18, 6], a: 200n, fee: 10n ** 14n, durations: [undefined, undefined], exempt: [false, false] },
  {
    decimals: [18, 18, 6],
    a: 5_000n,
    fee: 10n ** 12n,
    durations: [10_800n, undefined, undefined],
    exempt: [true, false, false],
  },
  { decimals: [18, 8], a: 1n, fee: 10n ** 17n, durations: [0n, 86_400n], exempt: [true, true] },
  {
    decimals: [0, 6, 12, 18, 18],
    a: 60n,
    fee: 4n * 10n ** 14n,
    durations: [undefined, 600n, 0n, undefined, 3_600n],
    exempt: [false, false, true, false, true],
  },
];

interface Made extends BalancerPool {
  readonly kind: Kind;
  /** In the vault's order, zero where there is none. */
  readonly providers: readonly Address[];
  readonly decimals: readonly number[];
  readonly exempt: readonly boolean[];
  readonly share: number;
}

let anvil: Anvil;
let world: BalancerWorld;
const pools: Made[] = [];
const providerAbi = compiled("DevnetRateProvider").abi;

beforeAll(async () => {
  anvil = await startAnvil();
  world = await deployBalancer(anvil);
  await setProtocolFees(anvil, world, ONE / 2n, ONE / 4n);
  for (const kind of KINDS) {
    const tokens: { token: Address; provider: Address; index: number }[] = [];
    for (const [index, decimals] of kind.decimals.entries()) {
      const token = await mintedToken(anvil, decimals);
      const provider = kind.durations[index] === undefined ? ZERO_ADDRESS : await deployRateProvider(anvil, ONE);
      tokens.push({ token, provider, index });
    }
    tokens.sort((a, b) => (a.token < b.token ? -1 : 1));
    const pool = await createStable(anvil, world, {
      tokens: tokens.map(({ token }) => token),
      amplification: kind.a,
      rateProviders: tokens.map(({ provider }) => provider),
      durations: tokens.map(({ index }) => kind.durations[index] ?? 0n),
      exempt: tokens.map(({ index }) => kind.exempt[index] as boolean),
      fee: kind.fee,
    });
    const share = pool.tokens.indexOf(pool.address);
    const inOrder = <T>(of: (index: number) => T, ofShare: T) =>
      pool.tokens.map((token) => {
        const known = tokens.find((each) => each.token === token);
        return known === undefined ? ofShare : of(known.index);
      });
    await fill(
      anvil,
      world,
      pool,
      inOrder((index) => 10n ** BigInt((kind.decimals[index] as number) + 6), PREMINTED),
    );
    pools.push({
      ...{ ...pool, kind, share },
      providers: pool.tokens.map((token) => tokens.find((each) => each.token === token)?.provider ?? ZERO_ADDRESS),
      decimals: inOrder((index) => kind.decimals[index] as number, 18),
      exempt: inOrder((index) => kind.exempt[index] as boolean, false),
    });
  }
  await beTheVault(anvil, world);
});
afterAll(() => anvil?.stop());

/** New values and a new last join; time passes. What the pool then says of itself, without its balances. */
async function shaken(pool: Made, random: Random): Promise<Omit<ComposableStableState, "balances">> {
  for (const provider of pool.providers) {
    if (provider === ZERO_ADDRESS || random.chance(0.3)) continue;
    const rate = random.between(ONE / 2n, 3n * ONE);
    await anvil.send(provider, encodeFunctionData({ abi: providerAbi, functionName: "setRate", args: [rate] }));
  }
  await anvil.rpc("evm_increaseTime", [random.int(1, 9_000)]);
  await anvil.mine();
  return stateOf(pool);
}

async function stateOf(pool: Made): Promise<Omit<ComposableStableState, "balances">> {
  const { abi } = bundled("BalancerComposableStablePool");
  const read = <T>(name: string, args: readonly unknown[] = []) => anvil.read<T>(pool.address, abi, name, args);
  const caches: (readonly bigint[])[] = [];
  const fresh: bigint[] = [];
  for (const [i, token] of pool.tokens.entries()) {
    const provider = pool.providers[i] as Address;
    caches.push(provider === ZERO_ADDRESS ? [ONE, ONE, 0n, NEVER] : await read("getTokenRateCache", [token]));
    fresh.push(provider === ZERO_ADDRESS ? 0n : await anvil.read(provider, providerAbi, "getRate"));
  }
  const [a] = await read<[bigint]>("getAmplificationParameter");
  const [lastA, lastInvariant] = await read<[bigint, bigint]>("getLastJoinExitData");
  const column = (index: number) => caches.map((cache) => cache[index] as bigint);
  return {
    ...{ share: pool.share, exempt: pool.exempt, paused: false, swapFee: pool.kind.fee, freshRates: fresh },
    scales: pool.decimals.map((decimals) => 10n ** BigInt(18 - decimals)),
    ...{ rates: column(0), oldRates: column(1), durations: column(2), expiries: column(3) },
    ...{ initialA: a, futureA: a, initialATime: 0n, futureATime: 0n, lastA, lastInvariant },
    totalSupply: await read("totalSupply"),
    protocolSwapFee: await read("getProtocolFeePercentageCache", [0n]),
    protocolYieldFee: await read("getProtocolFeePercentageCache", [2n]),
  };
}

function onSwap(pool: Made, balances: readonly bigint[], sell: number, buy: number, exactIn: boolean, amount: bigint) {
  const request = {
    ...{ kind: exactIn ? 0 : 1, tokenIn: pool.tokens[sell], tokenOut: pool.tokens[buy], amount, poolId: pool.poolId },
    ...{ lastChangeBlock: 0n, from: anvil.account, to: anvil.account, userData: "0x" },
  };
  const args = [request, balances, BigInt(sell), BigInt(buy)];
  return { to: pool.address, data: balancerCall("BalancerComposableStablePool", "onSwap", args) };
}

test("a swap costs and pays what the pool's own contract says, with its share and without", async () => {
  const random = createRandom(72);
  const tried = countCases("balancer-v2", "composable-stable", 72);
  const seen = { in: 0, out: 0, buysShare: 0, sellsShare: 0, refused: 0, extreme: 0 };
  for (const pool of pools) {
    for (let round = 0; round < ROUNDS; round++) {
      const base = await shaken(pool, random);
      expect([base.protocolSwapFee, base.protocolYieldFee]).toEqual([ONE / 2n, ONE / 4n]);
      const { timestamp } = await anvil.head();
      const cases = Array.from({ length: CASES_PER_ROUND }, () => {
        // Shares as the pool has them now; sizes around its last invariant, so that fees are owed or not.
        const skew = random.pick([2n, 10n, 60n]);
        const size = random.chance(0.5) ? base.lastInvariant / 2n : random.between(10n ** 20n, 10n ** 28n);
        const held = random.between(10n ** 16n, 10n ** 29n);
        const balances = base.scales.map((scale, i) => {
          if (i === base.share) return base.totalSupply > held ? base.totalSupply - held : 0n;
          return (random.between(size / skew, size * skew) * ONE) / (scale * (base.rates[i] as bigint)) + 1n;
        });
        const state = { ...base, balances };
        const sell = random.int(0, balances.length - 1);
        const buy = (sell + random.int(1, balances.length - 1)) % balances.length;
        const limits = composableStableMath.limits(state, { sell, buy }, timestamp);
        const exactIn = random.chance(0.5);
        const most = exactIn ? limits.maxSell : limits.maxBuy;
        const amount = random.chance(0.1) || most < 2n ? most : random.between(most / 10n ** 9n + 1n, most);
        return { state, sell, buy, exactIn, amount, most };
      });
      const asked = cases.map(({ state, sell, buy, exactIn, amount }) =>
        onSwap(pool, state.balances, sell, buy, exactIn, amount),
      );
      // Each in a call of its own: a swap leaves its mark on the pool.
      const answers = (await Promise.all(asked.map((call) => callsOfVault(anvil, world, [call])))).flat();
      for (const [i, { state, sell, buy, exactIn, amount, most }] of cases.entries()) {
        const quote = exactIn
          ? composableStableMath.quoteExactIn(state, { sell, buy }, amount, timestamp)
          : composableStableMath.quoteExactOut(state, { sell, buy }, amount, timestamp);
        if (isRejection(quote)) {
          seen.refused++;
          continue;
        }
        const answer = answers[i];
        tried.same(quote.amount, answer && BigInt(answer));
        seen[exactIn ? "in" : "out"]++;
        if (buy === pool.share) seen.buysShare++;
        if (sell === pool.share) seen.sellsShare++;
        if (amount === most) seen.extreme++;
      }
    }
  }
  const all = pools.length * ROUNDS * CASES_PER_ROUND;
  expect(Math.min(seen.in, seen.out)).toBeGreaterThan(all / 5);
  expect(Math.min(seen.buysShare, seen.sellsShare)).toBeGreaterThan(all / 12);
  expect(seen.extreme).toBeGreaterThan(all / 40);
});
