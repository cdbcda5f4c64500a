import { describe, expect, it } from "vitest";
import { randomOf } from "../../../fixtures/random.ts";
import { addressOf } from "../../../fixtures/routing/pools.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { mathOf } from "../../../src/pools/pool.ts";
import { isRejection } from "../../../src/pools/pool-math.ts";

const E18 = 10n ** 18n;
const COINS = [addressOf(1), addressOf(2), addressOf(3), addressOf(4)];

interface PoolUse {
  readonly sell: number;
  readonly buy: number;
  readonly amount: number;
}

/** A pool of three or four tokens that may be far out of balance, and prices at which some of its pairs earn. */
interface Case {
  readonly pool: Pool;
  readonly prices: readonly number[];
}

/** Earnings of pool uses one after the other; 0 if the pool refuses one. */
function earned({ pool, prices }: Case, uses: readonly PoolUse[]): number {
  let [state, sum] = [pool.state, 0];
  for (const { sell, buy, amount } of uses) {
    if (amount < 1) continue;
    const sold = BigInt(Math.floor(amount));
    const quote = mathOf(pool).quoteExactIn(state, { sell, buy }, sold, 0n);
    if (isRejection(quote)) return Number.NEGATIVE_INFINITY;
    state = quote.next;
    sum += Number(quote.amount) * (prices[buy] as number) - Number(sold) * (prices[sell] as number);
  }
  return sum;
}

function bothWays<T>(size: number, of: (sell: number, buy: number) => T): T[] {
  const indices = Array.from({ length: size }, (_, i) => i);
  return indices.flatMap((sell) => indices.filter((buy) => buy !== sell).map((buy) => of(sell, buy)));
}

/** The sum of the most that each pair could earn by itself, as a bound counts it. */
function earnedAlone({ pool, prices }: Case): number {
  const most = bothWays(pool.tokens.length, (sell, buy) => {
    const real = mathOf(pool).curve(pool.state, { sell, buy }, 0n);
    if (real === undefined) return 0;
    const curve = real.ceiling ?? real;
    const [sellPrice, buyPrice] = [prices[sell] as number, prices[buy] as number];
    const amount = Math.min(curve.sellAmountAtRate(sellPrice / buyPrice), curve.maxSell);
    return Math.max(0, curve.buyAmountFor(amount) * buyPrice - amount * sellPrice);
  });
  return most.reduce((sum, one) => sum + one, 0);
}

/** The most that random pool uses, each pair at most once, earn together after their amounts have climbed. */
function earnedTogether(one: Case, held: readonly bigint[], random: () => number): number {
  let best = 0;
  for (let start = 0; start < 8; start++) {
    const chosen = new Map<string, PoolUse>();
    const some = () => 10 ** (-4 * random());
    const inTurn = bothWays(held.length, (sell, buy) => ({ sell, buy, turn: random() }));
    inTurn.sort((a, b) => a.turn - b.turn);
    for (const { sell, buy } of inTurn) {
      const pair = [sell, buy].sort().join();
      if (!chosen.has(pair)) chosen.set(pair, { sell, buy, amount: Number(held[sell]) * some() });
    }
    let uses = [...chosen.values()].slice(0, 4);
    let value = earned(one, uses);
    let stride = 1;
    for (let step = 0; step < 250; step++) {
      const i = Math.floor(random() * uses.length);
      const next = uses.map((use, j) => {
        if (j !== i) return use;
        if (use.amount === 0) return { ...use, amount: Number(held[use.sell]) * some() };
        return { ...use, amount: random() < 0.1 ? 0 : use.amount * Math.exp(stride * (random() - 0.5)) };
      });
      const pays = earned(one, next);
      if (pays > value) [value, uses] = [pays, next];
      else stride = Math.max(0.002, stride * 0.98);
    }
    best = Math.max(best, value);
  }
  return best;
}

/** Bound that the pool gives on all of its pool uses together. */
function toldTogether({ pool, prices }: Case): number {
  return mathOf(pool).mostEarnedTogether?.(pool.state, prices) ?? Number.POSITIVE_INFINITY;
}

/** Highest ratio, over some cases, of pool uses' earnings to their bound: the sum of what each pair earns alone. */
function mostOf(
  seeds: readonly number[],
  poolOf: (held: readonly bigint[], random: () => number) => Pool,
  mayEarn: (one: Case) => number = earnedAlone,
): number {
  const parts = seeds.map((seed) => {
    const random = randomOf(seed + 1);
    const size = 3 + Math.floor(random() * 2);
    const skew = 10 ** (2 * random());
    const held = COINS.slice(0, size).map(() => BigInt(Math.round(1e9 * skew ** (random() - 0.5))) * 10n ** 12n);
    const pool = poolOf(held, random);
    const far = [0.003, 0.03, 0.3][Math.floor(random() * 3)] as number;
    const prices = held.map((_, buy) => {
      const rate = buy === 0 ? 1 : mathOf(pool).curve(pool.state, { sell: 0, buy }, 0n)?.marginalRate(0);
      return Math.exp(far * (2 * random() - 1)) / (rate ?? 1);
    });
    const most = mayEarn({ pool, prices });
    return most < 1 ? 0 : earnedTogether({ pool, prices }, held, random) / most;
  });
  return Math.max(...parts);
}

const seeds = (count: number) => Array.from({ length: count }, (_, seed) => seed);

describe("uses of a pool for several pairs of its tokens", () => {
  const weighted = (held: readonly bigint[], random: () => number): Pool => {
    const parts = held.map(() => BigInt(Math.round(1000 * (0.1 + random()))));
    const all = parts.reduce((sum, one) => sum + one, 0n);
    const weights = parts.map((part) => (part * E18) / all);
    const swapFee = random() < 0.5 ? E18 / 1_000_000n : (3n * E18) / 1000n;
    const state = { balances: held, weights, scales: held.map(() => 1n), swapFee, paused: false };
    return {
      ...{ id: addressOf(1, "pool"), source: "Balancer_V2", tokens: COINS.slice(0, held.length), curve: "weighted" },
      state,
    };
  };

  it("earn no more than its pairs could alone where weights make the price", () => {
    const most = mostOf(seeds(40), weighted);
    expect(most).toBeGreaterThan(0.9);
    expect(most).toBeLessThanOrEqual(1 + 1e-6);
  });

  it("earn no more than is told of all of them together where weights make the price", () => {
    const most = mostOf(seeds(40), weighted, toldTogether);
    expect(most).toBeGreaterThan(0.95);
    expect(most).toBeLessThanOrEqual(1 + 1e-6);
  });

  it("earn nothing together at prices where no pair does, or of tokens without a price", () => {
    const pool = weighted([E18, E18, E18], randomOf(1));
    const prices = [0, 1, 2].map((sell) => mathOf(pool).curve(pool.state, { sell, buy: 0 }, 0n)?.marginalRate(0) ?? 1);
    const at = (values: readonly (number | undefined)[]) =>
      mathOf(pool).mostEarnedTogether?.(pool.state, values) as number;
    expect(at(prices) / 1e18).toBeLessThan(1e-6);
    expect(at([undefined, 10 * (prices[1] as number), undefined])).toBe(0);
    expect(at([prices[0], 10 * (prices[1] as number), undefined]) / 1e18).toBeGreaterThan(0.1);
  });

  it("earn no more than its pairs could alone although each pool use may bring more than the first one", () => {
    // Two uses take all that is allowed at once, and the third one again, of what the second one has left.
    const weights = [537_634_408_602_150_539n, 440_860_215_053_763_440n, 21_505_376_344_086_021n];
    const scales = [10n ** 10n, 10n ** 12n, 1n];
    const balances = [6_497_038n, 7_473_268_116n, 2_045_978_965_572_627n];
    const pool: Pool = {
      ...{ id: addressOf(1, "pool"), source: "Balancer_V2", tokens: COINS.slice(0, 3), curve: "weighted" },
      state: { balances, weights, scales, swapFee: 10n ** 14n, paused: false },
    };
    const uses = [
      { sell: 0, buy: 1, amount: 1_949_283 },
      { sell: 0, buy: 2, amount: 1_949_295 },
      { sell: 2, buy: 1, amount: 3_417_410_939_662 },
    ];
    const one = { pool, prices: [0.01, 1, 2e-7] };
    expect(earned(one, uses)).toBeGreaterThan(2.5e9);
    expect(earned(one, uses)).toBeLessThanOrEqual(earnedAlone(one));
  });

  it("can earn more around an amplified invariant, which is why a route uses such a pool once", () => {
    const most = mostOf([8, 530, 687], (held, random) => {
      const a = [100n, 1000n, 10_000n, 100_000n][Math.floor(random() * 4)] as bigint;
      const state = {
        ...{ balances: held, rates: held.map(() => E18), initialA: a, futureA: a, initialATime: 0n, futureATime: 0n },
        ...{ aPrecision: 100n, fee: random() < 0.5 ? 0n : 4_000_000n, adminFee: 5_000_000_000n, killed: false },
        generation: random() < 0.5 ? ("old" as const) : ("ng" as const),
      };
      return {
        ...{ id: addressOf(1, "pool"), source: "Curve", tokens: COINS.slice(0, held.length), curve: "stableswap" },
        state,
      };
    });
    expect(most).toBeGreaterThan(1.001);
  });
});
