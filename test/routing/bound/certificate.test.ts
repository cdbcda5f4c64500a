import { describe, expect, it } from "vitest";
import { answerTo } from "../../../fixtures/routing/answer.ts";
import { graphOf } from "../../../fixtures/routing/request.ts";
import { costOfGas } from "../../../src/routing/network-cost.ts";
import { allPaths, exhaustiveBest } from "../../support/trades/exhaustive.ts";
import { smallTrade } from "../../support/trades/small-trade.ts";

const COUNT = process.env.TRIBUTARY_LONG === "1" ? 2500 : 60;

interface Outcome {
  readonly seed: number;
  readonly bound: bigint;
  readonly achieved: bigint;
  readonly best: bigint;
  readonly fills: number;
  readonly gas: boolean;
}

/** A seeded small universe, a trade in it, the router's answer and the best that exhaustive search finds. */
function tradeIn(seed: number): Outcome | undefined {
  const { pools, order, cost, gas } = smallTrade(seed, "exactIn");
  if (order.kind !== "exactIn") throw new Error("not an amount to sell");
  const { sellToken, buyToken, sellAmount } = order;
  const result = answerTo(order, pools, cost);
  const paths = allPaths(pools, sellToken, buyToken, 4);
  const best = exhaustiveBest(paths, sellAmount, graphOf(pools).time, (used) => costOfGas(cost, buyToken, used));
  if (best === undefined) return undefined;
  if (!result.found || result.certificate === undefined || result.route.kind !== "exactIn")
    throw new Error(`seed ${seed}: no route where there is one`);
  return { seed, ...result.certificate, best, fills: result.route.fills.length, gas };
}

/** The trades in which something beats the bound. */
function beaten(outcomes: readonly Outcome[], boundOf: (outcome: Outcome) => bigint): number[] {
  return outcomes.filter((o) => o.best > boundOf(o) || o.achieved > boundOf(o)).map(({ seed }) => seed);
}

/** Found by longer runs: 875 fills all pools of its first path, and was refused once; the others once paid less. */
const KEPT_SEEDS = [460, 464, 703, 875, 896, 902, 1016, 1209, 1542, 1771, 2435];

describe("the certificate on small universes", () => {
  const seeds = new Set([...KEPT_SEEDS, ...Array.from({ length: COUNT }, (_, seed) => seed)]);
  const outcomes = [...seeds].map((seed) => tradeIn(seed)).filter((o) => o !== undefined);

  it("is never beaten by exhaustive search", () => {
    expect(outcomes.length).toBeGreaterThan(COUNT * 0.9);
    expect(outcomes.filter(({ fills }) => fills > 2).length).toBeGreaterThan(COUNT / 5);
    expect(outcomes.filter(({ gas }) => gas).length).toBeGreaterThan(COUNT / 2);
    expect(beaten(outcomes, ({ bound }) => bound)).toEqual([]);
  });

  it("is noticed to be wrong when it is lowered below what was found", () => {
    expect(beaten(outcomes, ({ best }) => best - 1n)).toHaveLength(outcomes.length);
  });

  it("lies close above the route where gas costs nothing", () => {
    const gaps = outcomes
      .filter(({ gas, achieved }) => !gas && achieved > 1_000_000_000n)
      .map(({ bound, achieved }) => (Number(bound - achieved) / Number(achieved)) * 1e4)
      .sort((a, b) => a - b);
    expect(gaps.length).toBeGreaterThan(COUNT / 8);
    expect(gaps[Math.floor(gaps.length / 2)]).toBeLessThan(0.1);
    expect(gaps[Math.floor(gaps.length * 0.95)]).toBeLessThan(5);
  });

  it("belongs to a route that pays what exhaustive search finds where gas costs nothing", () => {
    const worse = outcomes.filter((o) => !o.gas && o.best - o.achieved > o.best / 1_000_000n + 3n);
    expect(worse.map(({ seed }) => seed)).toEqual([]);
  });

  it("belongs to a route that pays what exhaustive search finds where gas decides which pools stay", () => {
    const worse = outcomes.filter((o) => o.gas && o.best - o.achieved > abs(o.best) / 1_000_000n + 3n);
    expect(worse.map(({ seed }) => seed)).toEqual([]);
  });
});

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}
