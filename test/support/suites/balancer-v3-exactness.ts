import { type Abi, encodeFunctionData, type Hex } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Address, ZERO_ADDRESS } from "../../../src/domain/address.ts";
import { mulDown } from "../../../src/math/fixed-point.ts";
import { balancerV3Math } from "../../../src/pools/balancer-v3/math.ts";
import type { BalancerV3State } from "../../../src/pools/balancer-v3/state.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";
import { balancerV3 } from "../../../src/venues/balancer-v3/source.ts";
import { type Anvil, startAnvil } from "../../venues/worlds/anvil.ts";
import { deployRateProvider } from "../../venues/worlds/balancer.ts";
import {
  approveDesk,
  type BalancerV3World,
  createV3Pool,
  deployBalancerV3,
  deployFirstFactory,
  deskCall,
  setV3Balances,
  type V3Token,
  v3Swap,
} from "../../venues/worlds/balancer-v3.ts";
import { compiled } from "../../venues/worlds/compiled.ts";
import { mintedToken } from "../../venues/worlds/traffic/minted-tokens.ts";
import { createRandom, type Random } from "../../venues/worlds/traffic/random.ts";
import { countCases } from "./tried-cases.ts";

const LONG = process.env.TRIBUTARY_LONG === "1";
const ROUNDS = LONG ? 160 : 4;
const SWAPS_PER_ROUND = 25;

const ONE = 10n ** 18n;
/** A pool to draw balances, rates and swaps for. */
export interface BalancerV3Kind {
  readonly decimals: readonly number[];
  readonly rated: readonly boolean[];
  readonly fee: bigint;
  /** Weights; absent for a stable pool, which has an amplification. */
  readonly weights?: readonly bigint[];
  readonly amplification?: bigint;
  /** The factory that it is of; absent: the newest. */
  readonly factory?: () => { readonly abi: Abi; readonly bytecode: Hex };
}

/** Ranges that pools are drawn from: those in use, and all that the contracts can count. */
const DRAWN = [
  {
    ...{ what: "swaps", seed: 76, rounds: ROUNDS, leastServed: 4 },
    ...{ smallest: 10n ** 20n, largest: 10n ** 28n, skews: [2n, 10n, 40n] },
    rateOf: (random: Random) => random.pick([ONE, random.between(ONE / 2n, 3n * ONE)]),
    amountOf: (random: Random, most: bigint) => random.between(most / 10n ** 7n + 1n, most),
  },
  {
    ...{ what: "extremes", seed: 11, rounds: 2 * ROUNDS, leastServed: 8 },
    ...{ smallest: 10n ** 12n, largest: 10n ** 33n, skews: [1n, 2n, 40n, 3_000n] },
    rateOf: (random: Random) =>
      random.pick([ONE, 1n, ONE + 1n, random.ofBits(90), random.between(ONE / 100_000n, 100_000n * ONE)]),
    amountOf: (random: Random, most: bigint) =>
      random.pick([random.between(1n, most), most - BigInt(random.int(0, 1)), BigInt(random.int(1, 10_000_000))]),
  },
] as const;
/** The vault keeps balances in 128 bits. */
const MAX_RAW = 1n << 127n;

interface Made {
  readonly address: Address;
  readonly tokens: readonly V3Token[];
  readonly kind: "weighted" | "stable";
}

/** Our numbers against swaps in Balancer V3's own vault, over balances and rates of every size; `of` tells runs apart. */
export function testBalancerV3Exactness(kinds: readonly BalancerV3Kind[], of = ""): void {
  let anvil: Anvil;
  let world: BalancerV3World;
  const pools: Made[] = [];
  const first: { readonly factory: Address; readonly kind: Made["kind"] }[] = [];

  beforeAll(async () => {
    anvil = await startAnvil();
    world = await deployBalancerV3(anvil);
    for (const [index, kind] of kinds.entries()) {
      const tokens: (V3Token & { readonly amount: bigint })[] = [];
      for (const [i, decimals] of kind.decimals.entries()) {
        const rateProvider = kind.rated[i] ? await deployRateProvider(anvil, ONE) : ZERO_ADDRESS;
        const amount = 10n ** BigInt(decimals + 6);
        const token = await mintedToken(anvil, decimals);
        tokens.push({ token, rateProvider, paysYieldFees: kind.rated[i] === true, amount });
      }
      tokens.sort((a, b) => (a.token < b.token ? -1 : 1));
      const { weights, amplification = 1n } = kind;
      const terms = weights !== undefined ? { weights } : { amplification };
      const factory = kind.factory && (await deployFirstFactory(anvil, world.vault, kind.factory()));
      if (factory !== undefined) first.push({ factory, kind: weights === undefined ? "stable" : "weighted" });
      const made = { tokens, fee: kind.fee, salt: index + 1, ...(factory && { factory }) };
      const address = await createV3Pool(anvil, world, { ...made, ...terms });
      await approveDesk(
        anvil,
        world,
        tokens.map(({ token }) => token),
      );
      const amounts = tokens.map(({ amount }) => amount);
      await anvil.send(
        world.desk,
        deskCall("initialize", [world.vault, address, tokens.map(({ token }) => token), amounts]),
      );
      await anvil.mine();
      pools.push({ address, tokens, kind: weights === undefined ? "stable" : "weighted" });
    }
  });
  afterAll(() => anvil?.stop());

  test.each(DRAWN)("a swap costs and pays what the vault says: $what", async (drawn) => {
    const { what, seed, rounds, smallest, largest, skews, rateOf, amountOf, leastServed } = drawn;
    const random = createRandom(seed);
    const source = balancerV3({
      ...{ protocol: "balancer-v3", source: "Balancer_V3", vault: world.vault, fromBlock: 0n },
      factories: [
        { factory: world.weightedFactory, kind: "weighted" },
        { factory: world.stableFactory, kind: "stable" },
        ...first,
      ],
    });
    const setRate = (rate: bigint) =>
      encodeFunctionData({ abi: compiled("DevnetRateProvider").abi, functionName: "setRate", args: [rate] });
    const tried = countCases("balancer-v3", `${of}${what}`, seed);
    const seen = { in: 0, out: 0, most: 0, small: 0, refused: 0 };
    for (const { address, tokens, kind } of pools) {
      for (let round = 0; round < rounds; round++) {
        const size = random.between(smallest, largest);
        const skew = random.pick<bigint>(skews);
        const ref = { id: address, address: world.vault, tokens: tokens.map(({ token }) => token), terms: { kind } };
        const rates = tokens.map(({ rateProvider }) => (rateProvider === ZERO_ADDRESS ? ONE : rateOf(random)));
        for (const [i, { rateProvider }] of tokens.entries())
          if (rateProvider !== ZERO_ADDRESS) await anvil.send(rateProvider, setRate(rates[i] as bigint));
        const [known] = await source.sync(anvil.reader, [ref], await anvil.mine());
        if (known?.curve !== "balancer-v3") throw new Error("the pool cannot be read");
        const balances = known.state.scales.map((scale, i) => {
          const wanted = (random.between(size / skew, size * skew) * ONE) / (scale * (rates[i] as bigint)) + 1n;
          const raw = wanted < MAX_RAW ? wanted : MAX_RAW;
          const live = mulDown(raw * scale, rates[i] as bigint);
          // The last live balance is less if a fee is due on the growth.
          return { raw, live: random.chance(0.5) ? live : (live * 97n) / 100n };
        });
        await setV3Balances(anvil, world, address, balances);
        const at = await anvil.mine();
        const [pool] = await source.sync(anvil.reader, [ref], at);
        if (pool?.curve !== "balancer-v3") throw new Error("the pool cannot be read");
        const state: BalancerV3State = pool.state;
        const cases = Array.from({ length: SWAPS_PER_ROUND }, () => {
          const sell = random.int(0, tokens.length - 1);
          const buy = (sell + random.int(1, tokens.length - 1)) % tokens.length;
          const exactIn = random.chance(0.5);
          const limits = balancerV3Math.limits(state, { sell, buy }, at.timestamp);
          const most = exactIn ? limits.maxSell : limits.maxBuy;
          const amount = random.chance(0.1) || most < 2n ? most : amountOf(random, most);
          return { sell, buy, exactIn, amount, most };
        });
        const answers = await anvil.reader.calls(
          cases.map(({ sell, buy, exactIn, amount }) => {
            const [tokenIn, tokenOut] = [ref.tokens[sell] as Address, ref.tokens[buy] as Address];
            const data = deskCall("quote", [world.vault, v3Swap(address, exactIn, tokenIn, tokenOut, amount)]);
            return { to: world.desk, data };
          }),
          at,
        );
        for (const [i, { sell, buy, exactIn, amount, most }] of cases.entries()) {
          const math = exactIn ? balancerV3Math.quoteExactIn : balancerV3Math.quoteExactOut;
          const quote = math(state, { sell, buy }, amount, at.timestamp);
          const answer = answers[i];
          if (isRejection(quote)) {
            if (quote.rejected === "TOO_SMALL") {
              tried.same(0n, BigInt(answer ?? 0));
              seen.small++;
            } else seen.refused++;
            continue;
          }
          tried.same(quote.amount, answer && BigInt(answer));
          seen[exactIn ? "in" : "out"]++;
          if (amount === most) seen.most++;
        }
      }
    }
    const all = pools.length * rounds * SWAPS_PER_ROUND;
    expect(Math.min(seen.in, seen.out)).toBeGreaterThan(all / leastServed);
    expect(seen.most).toBeGreaterThan(all / 40);
  });
}
