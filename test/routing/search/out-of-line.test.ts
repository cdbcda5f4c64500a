import { describe, expect, it } from "vitest";
import { randomOf } from "../../../fixtures/random.ts";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { budgetOf, FREE, graphOf } from "../../../fixtures/routing/request.ts";
import type { Address } from "../../../src/domain/address.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { createRouter } from "../../../src/routing/create-router.ts";

type Pair = Extract<Pool, { curve: "constant-product" }>;

const TOKENS = Array.from({ length: 9 }, (_, i) => addressOf(i + 1));
const [SOLD, BOUGHT] = [TOKENS[0] as Address, TOKENS[1] as Address];
const POOLS = 45;
const CHUNKS = 100;
const UNIT = 10n ** 18n;

/** Pools whose prices stand off each other by up to a tenth: cycles that earn lead through all of them. */
function messy(seed: number, unit = UNIT): readonly Pair[] {
  const random = randomOf(seed);
  return Array.from({ length: POOLS }, (_, n) => {
    const first = Math.floor(random() * TOKENS.length);
    const second = (first + 1 + Math.floor(random() * (TOKENS.length - 1))) % TOKENS.length;
    const size = 1 + Math.floor(10 ** (3 * random()));
    const off = 10_000n + BigInt(Math.floor(1_000 * (2 * random() - 1)));
    const reserves: [bigint, bigint] = [BigInt(size) * unit, (BigInt(size) * unit * off) / 10_000n];
    return pairOf(n + 1, [TOKENS[first] as Address, TOKENS[second] as Address], reserves) as Pair;
  });
}

/**
 * Pools free of arbitrage but for a thirtieth part, and as many of next to no depth, from 10^`least` base units on,
 * whose prices differ by up to a thousandfold.
 */
function dusty(seed: number, least = 6): readonly Pool[] {
  const random = randomOf(seed);
  return Array.from({ length: POOLS }, (_, n) => {
    const first = Math.floor(random() * TOKENS.length);
    const second = (first + 1 + Math.floor(random() * (TOKENS.length - 1))) % TOKENS.length;
    const isDust = random() < 0.5;
    const size = 10 ** (isDust ? least + 7 * random() : 18 + 3 * random());
    const off = 10 ** ((isDust ? 3 : 0.03) * (2 * random() - 1));
    const reserves: [bigint, bigint] = [BigInt(Math.floor(size)), BigInt(Math.floor(size * off))];
    return pairOf(n + 1, [TOKENS[first] as Address, TOKENS[second] as Address], reserves);
  });
}

/**
 * Output of chunks, each along the best path of at most three pools after all before, which are not used the other way.
 */
function chunkwise(pools: readonly Pair[], amount: number): number {
  const sold = new Map<Pair, { from: Address; amount: number }>();
  const pays = (pool: Pair, from: Address, more: number): number => {
    const used = sold.get(pool);
    if (used !== undefined && used.from !== from) return 0;
    const [x, y] = pool.state.reserves.map(Number) as [number, number];
    const [a, b] = from === pool.tokens[0] ? [x, y] : [y, x];
    const out = (net: number) => (b * net * 0.997) / (a + net * 0.997);
    return out((used?.amount ?? 0) + more) - out(used?.amount ?? 0);
  };
  const best = (from: Address, more: number, path: readonly Pair[]): { out: number; path: readonly Pair[] } => {
    if (from === BOUGHT) return { out: more, path };
    let found = { out: 0, path };
    if (path.length === 3) return found;
    for (const pool of pools) {
      if (
        !pool.tokens.includes(from) ||
        path.some((other) => other.tokens.some((t) => pool.tokens.includes(t) && t !== from))
      )
        continue;
      const to = pool.tokens[0] === from ? (pool.tokens[1] as Address) : (pool.tokens[0] as Address);
      const next = best(to, pays(pool, from, more), [...path, pool]);
      if (next.out > found.out) found = next;
    }
    return found;
  };
  let all = 0;
  for (let chunk = 0; chunk < CHUNKS; chunk++) {
    const { out, path } = best(SOLD, amount / CHUNKS, []);
    all += out;
    let [from, more] = [SOLD, amount / CHUNKS];
    for (const pool of path) {
      const paid = pays(pool, from, more);
      sold.set(pool, { from, amount: (sold.get(pool)?.amount ?? 0) + more });
      [from, more] = [pool.tokens[0] === from ? (pool.tokens[1] as Address) : (pool.tokens[0] as Address), paid];
    }
  }
  return all;
}

describe("a route through pools that stand off each other", () => {
  it("pays what a fill by a hundred chunks does", () => {
    const behind: string[] = [];
    for (let seed = 0; seed < 30; seed++) {
      const pools = messy(seed);
      const sellAmount = UNIT * BigInt(Math.floor(10 ** (3 * randomOf(seed + 1_000)())));
      const order = { kind: "exactIn", sellToken: SOLD, buyToken: BOUGHT, sellAmount } as const;
      const request = { order, graph: graphOf(pools), allows: () => true, cost: FREE, budget: budgetOf() };
      const result = createRouter().findBest(request);
      const chunks = chunkwise(pools, Number(sellAmount));
      const paid = result.found ? Number(result.route.buyAmount) : 0;
      if (paid < chunks * (1 - 1e-4)) behind.push(`seed ${seed}: ${((chunks / paid - 1) * 1e4).toFixed(2)} bp`);
    }
    expect(behind).toEqual([]);
  });

  const paysNoLessForOneMore = (seed: number) => {
    const pools = messy(seed, 100n);
    const sellAmount = BigInt(1 + Math.floor(300 * randomOf(seed + 1_000)()));
    const order = { kind: "exactIn", sellToken: SOLD, buyToken: BOUGHT, sellAmount } as const;
    const paidOver = (some: readonly Pair[]): bigint => {
      const request = { order, graph: graphOf(some), allows: () => true, cost: FREE, budget: budgetOf() };
      const result = createRouter().findBest(request);
      return result.found ? result.route.buyAmount : 0n;
    };
    const paid = paidOver(pools);
    for (const pool of pools) expect(paidOver(pools.filter((other) => other !== pool))).toBeLessThanOrEqual(paid);
  };

  it.each([48, 49, 50, 57, 58, 103, 118])(
    "pays no less for one pool more where a base unit counts (%i)",
    paysNoLessForOneMore,
  );

  // One of some hundred base units is missing: whole units are followed from few flows, and end at the best near them.
  it.fails.each([47])("is not yet seen to pay no less there (%i)", paysNoLessForOneMore);

  it.each(["exactIn", "exactOut"] as const)(
    "keeps below its proof where it is worth less than arbitrage (%s)",
    (kind) => {
      for (let seed = 0; seed < 30; seed++) {
        const amount = BigInt(Math.floor(10 ** (15 * randomOf(seed + 2_000)())));
        const tokens = { sellToken: SOLD, buyToken: BOUGHT };
        const order =
          kind === "exactIn" ? { kind, ...tokens, sellAmount: amount } : { kind, ...tokens, buyAmount: amount };
        const request = { order, graph: graphOf(messy(seed)), allows: () => true, cost: FREE, budget: budgetOf() };
        const result = createRouter().findBest(request);
        if (!result.found) throw new Error(`seed ${seed}: no route`);
        const { bound, achieved } = result.certificate ?? { bound: 0n, achieved: 0n };
        if (kind === "exactIn") expect(bound).toBeGreaterThanOrEqual(achieved);
        else expect(bound).toBeLessThanOrEqual(achieved);
        expect(achieved).toBeGreaterThan(0n);
      }
    },
  );

  it.each([
    [25, 1_388n],
    [99, 144n],
    [127, 33n],
  ])("is looked for in whole units as long as that makes a purchase cheaper (%i)", (seed, most) => {
    const order = { kind: "exactOut", sellToken: SOLD, buyToken: BOUGHT, buyAmount: 10n ** 9n } as const;
    const request = { order, graph: graphOf(dusty(seed, 3)), allows: () => true, cost: FREE, budget: budgetOf() };
    const result = createRouter().findBest(request);
    expect(result.found && result.route.sellAmount).toBeLessThanOrEqual(most);
  });

  it("buys what a sale pays for about what that sells, though next to nothing of it is nearly free", () => {
    const dearer: string[] = [];
    for (let seed = 0; seed < 60; seed++) {
      const sellAmount = BigInt(Math.floor(10 ** (15 + 5 * randomOf(seed + 1_000)())));
      const rest = { graph: graphOf(dusty(seed)), allows: () => true, cost: FREE, budget: budgetOf() };
      const tokens = { sellToken: SOLD, buyToken: BOUGHT };
      const sale = createRouter().findBest({ ...rest, order: { kind: "exactIn", ...tokens, sellAmount } });
      if (!sale.found) throw new Error(`seed ${seed} has no sale`);
      const { buyAmount } = sale.route;
      const purchase = createRouter().findBest({ ...rest, order: { kind: "exactOut", ...tokens, buyAmount } });
      const sold = purchase.found ? Number(purchase.route.sellAmount) : Number.POSITIVE_INFINITY;
      if (sold > 1.1 * Number(sellAmount)) dearer.push(`seed ${seed}: ${sold / Number(sellAmount)} times`);
    }
    expect(dearer).toEqual([]);
  });
});
