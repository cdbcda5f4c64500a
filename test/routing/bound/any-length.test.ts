import { expect, it } from "vitest";
import { createRandom } from "../../../fixtures/random.ts";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { ratesOfAnyLength } from "../../../src/routing/bound/any-length.ts";
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

/** The best product of spot rates over simple paths from the sold to the bought token, by their number of pools. */
function bestRates({ graph: { start, to, spot }, source, sink }: Search): ReadonlyMap<number, number> {
  const best = new Map<number, number>();
  const walk = (node: number, seen: readonly number[], rate: number) => {
    if (node === sink) best.set(seen.length, Math.max(best.get(seen.length) ?? 0, rate));
    else
      for (let slot = start[node]!; slot < start[node + 1]!; slot++)
        if (to[slot] !== source && !seen.includes(to[slot]!)) walk(to[slot]!, [...seen, to[slot]!], rate * spot[slot]!);
  };
  walk(source, [], 1);
  return best;
}

const WHOLE = { isTooMuch: () => false, mostSteps: Number.POSITIVE_INFINITY };

it("is never below what a simple path pays, however many pools it has, where pools stand off each other", () => {
  let longer = 0;
  for (let seed = 0; seed < 300; seed++) {
    const search = sessionOver(seed, 3_000);
    const best = bestRates(search);
    const { spot } = search.graph;
    for (const isFinal of [false, true]) {
      const found = ratesOfAnyLength(search, (slot, paid) => spot[slot]! * paid, { ...WHOLE, isFinal });
      if (found === undefined) continue;
      for (const [pools, rate] of best) {
        const most = found.rates[search.source]! * found.growth ** Math.max(0, pools - found.pools);
        expect(rate, `seed ${seed}, ${pools} pools`).toBeLessThanOrEqual(most * (1 + ROUNDING));
        if (pools > search.maxHops && rate > best.get(1)!) longer++;
      }
    }
  }
  // Longer paths than a search follows do pay more here.
  expect(longer).toBeGreaterThan(100);
});

it("is what the best simple path pays where no cycle earns", () => {
  for (let seed = 0; seed < 100; seed++) {
    const search = sessionOver(seed, 10);
    const { spot } = search.graph;
    const found = ratesOfAnyLength(search, (slot, paid) => spot[slot]! * paid, { ...WHOLE, isFinal: true });
    expect(found?.growth).toBe(1);
    const most = Math.max(...bestRates(search).values());
    expect((found?.rates[search.source] ?? 0) / most, `seed ${seed}`).toBeCloseTo(1, 12);
  }
});
