import { describe, expect, it } from "vitest";
import { answerTo } from "../../fixtures/routing/answer.ts";
import { addressOf, concentratedOf, pairOf } from "../../fixtures/routing/pools.ts";
import { type Address, NATIVE_TOKEN } from "../../src/domain/address.ts";
import { fillsOf, SHARE_ONE } from "../../src/domain/route.ts";
import type { Pool } from "../../src/pools/pool.ts";

const A = addressOf(1);
const B = addressOf(2);
const C = addressOf(3);
const E18 = 10n ** 18n;
const exactIn = (sellToken = A, buyToken = B, sellAmount = E18) =>
  ({ kind: "exactIn", sellToken, buyToken, sellAmount }) as const;
const exactOut = (sellToken = A, buyToken = B, buyAmount = E18) =>
  ({ kind: "exactOut", sellToken, buyToken, buyAmount }) as const;

function find(pools: readonly Pool[], order: ReturnType<typeof exactIn> | ReturnType<typeof exactOut>) {
  return answerTo(order, pools);
}

describe("a router over few pools", () => {
  it("sells all of it through the only pool, by the pool's own arithmetic", () => {
    const result = find([pairOf(1, [A, B], [1000n * E18, 2000n * E18])], exactIn());
    if (!result.found) throw new Error(result.reason.kind);
    const net = E18 * 997n;
    expect(result.route.buyAmount).toBe((net * 2000n * E18) / (1000n * E18 * 1000n + net));
    expect(fillsOf(result.route).map((fill) => fill.share)).toEqual([SHARE_ONE]);
  });

  it("splits evenly between two pools that are the same", () => {
    const pools = [pairOf(1, [A, B], [1000n * E18, 1000n * E18]), pairOf(2, [A, B], [1000n * E18, 1000n * E18])];
    const result = find(pools, exactIn(A, B, 100n * E18));
    if (!result.found) throw new Error(result.reason.kind);
    const [first, second] = fillsOf(result.route);
    expect(Number(first?.sellAmount)).toBeCloseTo(Number(second?.sellAmount), -12);
    expect((first?.sellAmount ?? 0n) + (second?.sellAmount ?? 0n)).toBe(100n * E18);
  });

  it("buys exactly what is asked for over two hops", () => {
    const pools = [pairOf(1, [A, C], [1000n * E18, 1000n * E18]), pairOf(2, [C, B], [1000n * E18, 1000n * E18])];
    const result = find(pools, exactOut());
    if (!result.found) throw new Error(result.reason.kind);
    expect(result.route.buyAmount).toBe(E18);
    const fills = fillsOf(result.route);
    expect(fills.map((fill) => fill.buyToken)).toEqual([C, B]);
    expect(fills[0]?.buyAmount).toBe(fills[1]?.sellAmount);
    expect(fills[0]?.sellAmount).toBe(result.route.sellAmount);
  });

  it("gives each producer of a bought amount to one consumer alone where the amounts allow it", () => {
    const sized = (n: number, pair: readonly [Address, Address], size: bigint) =>
      pairOf(n, pair, [size * 1000n * E18, size * 1000n * E18]);
    const producers = [5n, 4n, 1n].map((size, i) => sized(i, [A, C], size));
    const consumers = [6n, 4n].map((size, i) => sized(i + 3, [C, B], size));
    const result = find([...producers, ...consumers], exactOut());
    if (!result.found) throw new Error(result.reason.kind);
    expect(fillsOf(result.route)).toHaveLength(5);
  });

  const wrapper: Pool = {
    id: "wrapper",
    source: "WETH",
    tokens: [NATIVE_TOKEN, A],
    curve: "fixed-rate",
    state: { gas: 30_000n },
  };

  it("wraps the native token on the way in and unwraps it on the way out", () => {
    const pools = [wrapper, pairOf(1, [A, B], [1000n * E18, 1000n * E18])];
    for (const order of [
      exactIn(NATIVE_TOKEN, B),
      exactIn(B, NATIVE_TOKEN),
      exactOut(NATIVE_TOKEN, B),
      exactOut(B, NATIVE_TOKEN),
    ]) {
      const result = find(pools, order);
      if (!result.found) throw new Error(result.reason.kind);
      expect(fillsOf(result.route).map((fill) => fill.poolId)).toContain("wrapper");
      expect(fillsOf(result.route)).toHaveLength(2);
    }
  });

  it.each([100n, 150n, 255n])("does not call 2^%s base units of the native token too few for its pools", (bits) => {
    const amount = 1n << bits;
    const pools = [wrapper, concentratedOf(1, [A, B], 0, E18), concentratedOf(2, [NATIVE_TOKEN, B], 0, E18)];
    expect(find(pools, { kind: "exactIn", sellToken: NATIVE_TOKEN, buyToken: B, sellAmount: amount })).toMatchObject({
      found: false,
      reason: { kind: "NOT_ENOUGH_LIQUIDITY" },
    });
  });

  it("says that no path leads there", () => {
    expect(find([pairOf(1, [A, C], [E18, E18])], exactIn())).toEqual({ found: false, reason: { kind: "NO_PATH" } });
  });
});
