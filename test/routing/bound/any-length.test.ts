import { expect, it } from "vitest";
import { createRandom } from "../../../fixtures/random.ts";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { bestRate, labelsTo, NO_LABELS } from "../../../src/routing/bound/path-labels.ts";
import type { Search } from "../../../src/routing/session/search.ts";
import { searchOf } from "../../support/trades/search.ts";

const E6 = 10n ** 6n;
const ROUNDING = 1e-12;

/** Pools between five to seven tokens, whose prices differ by up to `offBps` from one price per token. */
function sessionOver(seed: number, offBps: number): Search {
  const random = createRandom(seed);
  const tokens = Array.from({ length: 5 + random.below(3) }, (_, i) => addressOf(i + 1));
  const pools = Array.from({ length: 6 + random.below(12) }, (_, i) => {
    const [a, b] = [random.below(tokens.length), random.below(tokens.length - 1)];
    const ends = [tokens[a]!, tokens[b < a ? b : b + 1]!] as const;
    const off = BigInt(random.below(2 * offBps + 1) - offBps);
    return pairOf(i + 2, ends, [10_000n * E6, (10_000n + off) * E6]);
  });
  pools.push(pairOf(1, [tokens[0]!, tokens.at(-1)!], [100n * E6, E6]));
  return searchOf({ kind: "exactIn", sellToken: tokens[0]!, buyToken: tokens.at(-1)!, sellAmount: E6 }, pools);
}

/** The simple paths from the sold to the bought token, as slots. */
function* simplePaths({ graph: { start, to }, source, sink }: Search): Generator<readonly number[]> {
  const walk = function* (
    node: number,
    seen: readonly number[],
    slots: readonly number[],
  ): Generator<readonly number[]> {
    if (node === sink) yield slots;
    else
      for (let slot = start[node]!; slot < start[node + 1]!; slot++)
        if (!seen.includes(to[slot]!)) yield* walk(to[slot]!, [...seen, to[slot]!], [...slots, slot]);
  };
  yield* walk(source, [source], []);
}

/** The best product of spot rates over simple paths, by their number of pools. */
function bestRates(search: Search): ReadonlyMap<number, number> {
  const best = new Map<number, number>();
  for (const slots of simplePaths(search))
    best.set(slots.length, Math.max(best.get(slots.length) ?? 0, rateOf(search, slots)));
  return best;
}

function rateOf({ graph: { spot } }: Search, slots: readonly number[]): number {
  return slots.reduce((rate, slot) => rate * spot[slot]!, 1);
}

const WHOLE = { isTooMuch: () => false, mostSteps: Number.POSITIVE_INFINITY };
const FREE = { ...WHOLE, cost: () => 0, gain: (rate: number, than: number) => rate - than };

/** The best rate over paths of any length, at spot rates. */
function bestOf(search: Search): number {
  const { spot } = search.graph;
  const labels = labelsTo(search, { ...FREE, worth: (slot, paid) => spot[slot]! * paid });
  return bestRate(labels?.get(search.source) ?? NO_LABELS);
}

it("is never below what a simple path pays, however many pools it has, where pools stand off each other", () => {
  let longer = 0;
  for (let seed = 0; seed < 400; seed++) {
    const search = sessionOver(seed, 3_000);
    const best = bestRates(search);
    const most = bestOf(search);
    for (const [pools, rate] of best) {
      expect(rate, `seed ${seed}, ${pools} pools`).toBeLessThanOrEqual(most * (1 + ROUNDING));
      if (pools > search.maxHops && rate > best.get(1)!) longer++;
    }
  }
  // Longer paths than a search follows do pay more here.
  expect(longer).toBeGreaterThan(100);
});

it("is what the best simple path pays where no cycle earns", () => {
  for (let seed = 0; seed < 100; seed++) {
    const search = sessionOver(seed, 10);
    const most = Math.max(...bestRates(search).values());
    expect(bestOf(search) / most, `seed ${seed}`).toBeCloseTo(1, 12);
  }
});

it("is never below what a simple path pays net of its gas, or says that one is too much", () => {
  let told = 0;
  let paid = 0;
  for (let seed = 0; seed < 600; seed++) {
    const search = sessionOver(seed, 1_000);
    const { spot } = search.graph;
    const random = createRandom(seed);
    const costs = Array.from(spot, () => random.below(1_000) / 10_000);
    const costOf = (slots: readonly number[]) => slots.reduce((sum, slot) => sum + costs[slot]!, 0);
    const dearest = costOf(
      Array.from(costs.keys())
        .sort((a, b) => costs[b]! - costs[a]!)
        .slice(0, search.maxFills),
    );
    const nets = Array.from(simplePaths(search), (slots) => rateOf(search, slots) - costOf(slots));
    const best = Math.max(...nets);
    const limit = best + random.below(100) / 1_000 - 0.01;
    const labels = labelsTo(search, {
      ...{ worth: (slot, paid) => spot[slot]! * paid, cost: (slot) => costs[slot]!, mostSteps: 20_000 },
      gain: (rate, than) => (limit + 2 * dearest) * (1 - than / rate),
      isTooMuch: ({ rate, cost }) => rate - cost > limit,
    });
    if (labels === undefined) continue;
    told++;
    const most = Math.max(...labels.get(search.source)!.map(({ rate, cost }) => rate - cost));
    expect(best, `seed ${seed}`).toBeLessThanOrEqual(most + ROUNDING);
    if (most < best + ROUNDING) paid++;
  }
  expect(told).toBeGreaterThan(100);
  expect(paid).toBeGreaterThan(100);
});
