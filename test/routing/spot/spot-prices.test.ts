import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerTo } from "../../../fixtures/routing/answer.ts";
import { addressOf, concentratedOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { graphOf } from "../../../fixtures/routing/request.ts";
import type { Address } from "../../../src/domain/address.ts";
import { sqrtRatioAtTick } from "../../../src/math/tick-math.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { type FlatGraph, MIN_GAIN } from "../../../src/routing/edges/flat-graph.ts";
import { createEdgeStore } from "../../../src/routing/graph/edge-store.ts";
import { edgesIn } from "../../support/trades/search.ts";

/** Tokens that are all hubs, and more than these. */
const HUBS = 48;
const TOKENS = Array.from({ length: 72 }, (_, i) => addressOf(i + 1));
const RUNS = { numRuns: 500, seed: 20_261_122 };

const offs = fc.oneof(fc.integer({ min: -20, max: 20 }), fc.integer({ min: -150, max: 150 }));
/**
 * A pool around the rate of 1 between two of so many tokens: how far off, in ticks, how large, its fee, and of which kind
 * it is.
 */
const placedAmong = (tokens: number) =>
  fc.record({
    first: fc.integer({ min: 0, max: tokens - 1 }),
    second: fc.integer({ min: 1, max: tokens - 1 }),
    tokens: fc.constant(tokens),
    off: offs,
    size: fc.integer({ min: 0, max: 30 }),
    fee: fc.constantFrom(0n, 1n),
    isConcentrated: fc.boolean(),
  });
type Placed = ReturnType<typeof placedAmong> extends fc.Arbitrary<infer T> ? T : never;

/** `spread`: what `off` is multiplied by. */
function poolOf(n: number, { first, second, tokens: among, off, size, fee, isConcentrated }: Placed, spread = 1): Pool {
  const tokens = [TOKENS[first] as Address, TOKENS[(first + second) % among] as Address] as const;
  const tick = Math.round(off * spread);
  const liquidity = BigInt(Math.round(10 ** (15 + size / 6)));
  if (isConcentrated)
    return concentratedOf(n, tokens, tick, liquidity, { feePpm: Number(fee) * 1000, tickSpacing: 10 });
  const root = sqrtRatioAtTick(tick);
  return pairOf(n, tokens, [(liquidity << 96n) / root, (liquidity * root) >> 96n], fee);
}

/** So many tokens and pools, and what blocks do: pools trade, and now and then one comes or goes. */
const historiesOf = (tokens: number, minLength: number, maxLength: number) =>
  fc.record({
    first: fc.array(placedAmong(tokens), { minLength, maxLength }),
    blocks: fc.array(
      fc.record({
        traded: fc.array(fc.record({ n: fc.nat(), off: offs }), { maxLength: 6 }),
        other: fc.option(
          fc.record({ n: fc.nat({ max: maxLength + 3 }), to: fc.option(placedAmong(tokens), { freq: 2 }) }),
          { freq: 1 },
        ),
      }),
      { maxLength: 12 },
    ),
    spread: fc.constantFrom(0, 0.05, 1),
  });
/** A few tokens, which are all hubs, and more of them in several layers. */
const histories = fc.oneof(
  { weight: 4, arbitrary: historiesOf(9, 8, 26) },
  { weight: 1, arbitrary: historiesOf(TOKENS.length, 90, 160) },
);

/** Prices, gains and what gains, by what does not depend on how the graph came about. */
function seenOf(graph: FlatGraph): ReadonlyMap<string, readonly number[]> {
  for (let node = 0; node < graph.size; node++) graph.ready(node);
  const { spot, depth, width, gain, back, rest, from, to, dead, restless } = graph;
  const gains = new Set(restless);
  return new Map(
    edgesIn(graph).map(({ pool, direction }, slot) => {
      const ends = [from[slot] as number, to[slot] as number].map((node) => rest[node] as number);
      const between = [from[slot] as number, to[slot] as number].some((node) => dead[node] === 1);
      const numbers = between ? [] : [gain[slot] as number, back[slot] as number];
      const own = [spot[slot] as number, depth[slot] as number, width[slot] as number];
      return [`${pool.id} ${direction.sell}`, [...ends, ...own, ...numbers, gains.has(slot) ? 1 : 0]];
    }),
  );
}

/** The most that one unit of each token buys of each other, over whatever way. */
function bestRates({ size, spot, from, to }: FlatGraph): (from: number, to: number) => number {
  const rates = Array.from({ length: size }, (_, i) => Array.from({ length: size }, (_, k) => (i === k ? 1 : 0)));
  const rate = (a: number, b: number) => (rates[a] as number[])[b] as number;
  for (let round = 0; round < size; round++)
    for (let slot = 0; slot < spot.length; slot++)
      for (let end = 0; end < size; end++) {
        const [a, b] = [from[slot] as number, to[slot] as number];
        (rates[a] as number[])[end] = Math.max(rate(a, end), (spot[slot] as number) * rate(b, end));
      }
  return rate;
}

describe("prices at rest", () => {
  it("are the same to the bit whatever came before, and in whatever order the pools come", () => {
    let changed = 0;
    let earning = 0;
    let quiet = 0;
    fc.assert(
      fc.property(histories, ({ first, blocks, spread }) => {
        const placedNow = new Map(first.map((one, n) => [n, one]));
        const pools = () => [...placedNow].map(([n, one]) => poolOf(n, one, spread));
        const followed = createEdgeStore();
        followed.graph(graphOf(pools()));
        // Nobody asks this one for its dead ends before the end.
        const unasked = createEdgeStore();
        unasked.graph(graphOf(pools()));
        for (const { traded, other } of blocks) {
          for (const { n, off } of traded) {
            const [at, one] = [...placedNow][n % placedNow.size] ?? [];
            if (at !== undefined && one !== undefined) placedNow.set(at, { ...one, off });
          }
          if (other?.to === null) placedNow.delete(other.n);
          else if (other !== null) placedNow.set(other.n, other.to);
          const now = pools();
          const graph = followed.graph(graphOf(now));
          const fresh = createEdgeStore().graph(graphOf(now.toReversed()));
          expect(seenOf(graph)).toEqual(seenOf(fresh));
          unasked.graph(graphOf(now));
          expect(graph.leastGas).toBe(fresh.leastGas);
          changed++;
          if (graph.restless.length > 0) earning++;
          else quiet++;
        }
        const last = pools();
        expect(seenOf(unasked.graph(graphOf(last)))).toEqual(seenOf(createEdgeStore().graph(graphOf(last))));
      }),
      RUNS,
    );
    expect(changed).toBeGreaterThan(400);
    expect(earning).toBeGreaterThan(100);
    expect(quiet).toBeGreaterThan(100);
  });

  it("are the same whichever tokens were known first", () => {
    const ring = TOKENS.map((token, n) => {
      const next = TOKENS[(n + 1) % TOKENS.length] as Address;
      return pairOf(100 + n, [next, token], [10n ** 18n, 10n ** 18n]);
    });
    fc.assert(
      fc.property(fc.array(placedAmong(9), { minLength: 8, maxLength: 26 }), (all) => {
        const pools = all.map((one, n) => poolOf(n, one, 0.05));
        const followed = createEdgeStore();
        followed.graph(graphOf(ring.toReversed().map((pool, n) => ({ ...pool, id: addressOf(100 + n, "pool") }))));
        expect(seenOf(followed.graph(graphOf(pools)))).toEqual(seenOf(createEdgeStore().graph(graphOf(pools))));
      }),
      RUNS,
    );
  });

  it("let no pool gain where all agree but for their fees, and hardly any where hubs are few among the tokens", () => {
    const gaining = { hubs: 0, all: 0 };
    let slots = 0;
    const agreeing = (tokens: number, maxLength: number) =>
      fc.array(placedAmong(tokens), { minLength: 60, maxLength }).map((all) => {
        // Off by less than half of what two fees take.
        const pools = all.map((one, n) => poolOf(n, { ...one, fee: 1n, off: one.off % 10 }));
        return createEdgeStore().graph(graphOf(pools));
      });
    fc.assert(
      fc.property(agreeing(HUBS, 160), agreeing(TOKENS.length, 240), (hubs, all) => {
        gaining.hubs += hubs.restless.length;
        gaining.all += all.restless.length;
        slots += all.spot.length;
      }),
      RUNS,
    );
    expect(gaining.hubs).toBe(0);
    expect(gaining.all).toBeLessThan(slots / 500);
  });

  it("let no pool gain that lies on no cycle that earns", () => {
    let gaining = 0;
    let others = 0;
    let slots = 0;
    fc.assert(
      fc.property(fc.array(placedAmong(9), { minLength: 8, maxLength: 26 }), (all) => {
        const graph = createEdgeStore().graph(graphOf(all.map((one, n) => poolOf(n, one))));
        const rate = bestRates(graph);
        slots += graph.spot.length;
        for (const slot of graph.restless) {
          gaining++;
          const home = rate(graph.to[slot] as number, graph.from[slot] as number);
          if (!((graph.spot[slot] as number) * home > 1)) others++;
          expect(graph.gain[slot]).toBeGreaterThan(MIN_GAIN);
        }
      }),
      RUNS,
    );
    expect(gaining).toBeGreaterThan(100);
    expect(others).toBe(0);
    expect(gaining).toBeLessThan(slots / 2);
  });
});

describe("prices of a chain of pools of which each pays 10^30 for one, which ends at a deep pool of the market", () => {
  const [first, second] = [addressOf(1_001), addressOf(1_002)];
  const LONG = [30, 70] as const;
  const market = [
    pairOf(1, [first, second], [10n ** 24n, 10n ** 24n]),
    pairOf(2, [first, second], [10n ** 23n, 10n ** 23n]),
  ];
  const chain = (length: number, isUp: boolean) => {
    const tokens = [first, ...TOKENS.slice(0, length), second] as const;
    const few = 1000n;
    const many = 2n ** 112n - 1n;
    return tokens
      .slice(1)
      .map((token, n) => pairOf(10 + n, [tokens[n] as Address, token], isUp ? [few, many] : [many, few]));
  };

  it.each(LONG.flatMap((length) => [true, false].map((isUp) => ({ length, isUp }))))("are numbers: %o", (one) => {
    const graph = createEdgeStore().graph(graphOf([...market, ...chain(one.length, one.isUp)]));
    for (const node of graph.through) {
      expect(graph.rest[node]).toBeGreaterThan(0);
      expect(graph.rest[node]).toBeLessThan(Number.POSITIVE_INFINITY);
    }
    expect(graph.gain.every((gain) => gain >= 0 && gain < Number.POSITIVE_INFINITY)).toBe(true);
    const answer = answerTo({ kind: "exactIn", sellToken: first, buyToken: second, sellAmount: 10n ** 20n }, [
      ...market,
      ...chain(one.length, one.isUp),
    ]);
    expect(answer.found && answer.certificate !== undefined).toBe(true);
  });
});
