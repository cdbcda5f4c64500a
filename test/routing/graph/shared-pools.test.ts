import { describe, expect, it } from "vitest";
import { randomOf } from "../../../fixtures/random.ts";
import { answerTo } from "../../../fixtures/routing/answer.ts";
import { addressOf, pairOf } from "../../../fixtures/routing/pools.ts";
import { FREE, graphOf } from "../../../fixtures/routing/request.ts";
import type { Address } from "../../../src/domain/address.ts";
import type { SwapOrder } from "../../../src/domain/order.ts";
import { fillsOf } from "../../../src/domain/route.ts";
import type { Pool } from "../../../src/pools/pool.ts";
import { startingFlow } from "../../../src/routing/paths/starting-flow.ts";
import { allPaths, exhaustiveBest } from "../../support/trades/exhaustive.ts";
import { searchOf } from "../../support/trades/search.ts";

const [A, B, C, D, E] = [addressOf(1), addressOf(2), addressOf(3), addressOf(4), addressOf(5)];
const E18 = 10n ** 18n;

/** Equal parts of tokens of 18 decimals that hold a thousand each, about. */
function weightedOf(n: number, tokens: readonly Address[], holds: () => bigint = () => 1000n * E18): Pool {
  const each = <T>(value: () => T) => tokens.map(() => value());
  return {
    ...{ id: addressOf(n, "pool"), source: "Balancer_V2", tokens, curve: "weighted" },
    state: {
      ...{ balances: each(holds), weights: each(() => E18 / BigInt(tokens.length)), scales: each(() => 1n) },
      ...{ swapFee: E18 / 1000n, paused: false },
    },
  };
}

/** Coins of 18 decimals and like value around an amplified invariant, and the pool's own share. */
function stableOf(n: number, coins: readonly Address[], share: Address, a: bigint, holds: () => bigint): Pool {
  const balances = coins.map(() => holds());
  return {
    ...{ id: addressOf(n, "pool"), source: "Curve", tokens: [...coins, share], curve: "stableswap" },
    state: {
      ...{ balances, rates: coins.map(() => E18), totalSupply: balances.reduce((sum, one) => sum + one, 0n) },
      ...{ initialA: 100n * a, futureA: 100n * a, initialATime: 0n, futureATime: 0n, aPrecision: 100n },
      ...{ fee: 1_000_000n, adminFee: 5_000_000_000n, generation: "old", killed: false },
    },
  };
}

/** Output of our route, and of exhaustive search. */
function answersOf(pools: readonly Pool[], sellToken: Address, buyToken: Address, sellAmount: bigint) {
  const result = answerTo({ kind: "exactIn", sellToken, buyToken, sellAmount }, pools, FREE);
  if (!result.found || result.certificate === undefined) throw new Error("no route");
  const paths = allPaths(pools, sellToken, buyToken, 4);
  const best = exhaustiveBest(paths, sellAmount, graphOf(pools).time, () => 0n) ?? 0n;
  return { ...result.certificate, best };
}

describe("a pool of several tokens that one route uses for several pairs", () => {
  it("may lie twice on the best path of an amount to sell, not on that of one to buy", () => {
    const pools = [
      ...[weightedOf(1, [A, B, C, D]), pairOf(2, [B, C], [1000n * E18, 1100n * E18]), weightedOf(3, [D, E])],
      pairOf(4, [A, E], [10n * E18, 10n * E18]),
    ];
    const pathFor = (order: SwapOrder) =>
      startingFlow(searchOf(order, pools))?.support.edges.map(({ pool }) => pools.indexOf(pool) + 1);
    const tokens = { sellToken: A, buyToken: E };
    expect(pathFor({ kind: "exactIn", ...tokens, sellAmount: 10n ** 15n })).toEqual([1, 2, 1, 3]);
    expect(pathFor({ kind: "exactOut", ...tokens, buyAmount: 10n ** 15n })).toEqual([1, 3]);
  });

  it("takes by another pair what the first one has no room for, whatever that pays", () => {
    const pools = [
      weightedOf(1, [A, B, C]),
      ...[pairOf(2, [B, E], [10n ** 24n, 10n ** 24n]), pairOf(3, [C, E], [10n ** 24n, 10n ** 20n])],
    ];
    // A weighted pool takes three tenths of what it holds at once.
    const order = { kind: "exactIn", sellToken: A, buyToken: E, sellAmount: 500n * E18 } as const;
    const result = answerTo(order, pools, FREE);
    expect(result.found && fillsOf(result.route).map(({ poolId }) => poolId)).toHaveLength(4);
  });

  it("is split between them as is best where each pool use moves what the others pay", () => {
    const short: number[] = [];
    for (let seed = 0; seed < 40; seed++) {
      const random = randomOf(seed);
      const holds = () => BigInt(Math.round(1000 * (1 + 0.04 * random()))) * E18;
      const pair = (n: number, one: Address, other: Address) => pairOf(n, [one, other], [holds(), holds()]);
      const pools = [weightedOf(1, [A, B, C], holds), pair(2, B, D), pair(3, C, D), pair(4, A, D), pair(5, A, C)];
      const { bound, achieved, best } = answersOf(pools, A, D, BigInt(Math.round(10 ** (1 + 1.5 * random()))) * E18);
      expect(achieved <= bound && best <= bound).toBe(true);
      short.push((Number(best - achieved) / Number(best)) * 1e4);
    }
    expect(Math.max(...short)).toBeLessThan(0.005);
  });

  it("with a share among them is used once, and the certificate holds", () => {
    const uses: number[] = [];
    for (let seed = 0; seed < 40; seed++) {
      const random = randomOf(seed);
      const some = (most: number) => BigInt(Math.round(most * 10 ** (random() - 1))) * E18;
      const coins = seed % 2 === 0 ? [A, B] : [A, B, C];
      const shares = stableOf(77, coins, E, 10n ** BigInt(Math.floor(3 * random())), () => some(1500));
      const pairs = coins.map((coin, i) => pairOf(i + 1, [D, coin], [some(1_000_000), some(1_000_000)]));
      const [sellToken, buyToken] = seed % 4 < 2 ? [D, E] : [E, D];
      const sellAmount = some(1000);
      const result = answerTo({ kind: "exactIn", sellToken, buyToken, sellAmount }, [shares, ...pairs], FREE);
      if (!result.found || result.certificate === undefined) continue;
      const paths = allPaths([shares, ...pairs], sellToken, buyToken, 4);
      const best = exhaustiveBest(paths, sellAmount, graphOf([]).time, () => 0n) ?? 0n;
      const { bound, achieved } = result.certificate;
      expect(achieved <= bound && best <= bound).toBe(true);
      uses.push(fillsOf(result.route).filter(({ poolId }) => poolId === shares.id).length);
    }
    expect(uses.length).toBeGreaterThan(30);
    expect(new Set(uses)).toEqual(new Set([1]));
  });
});
