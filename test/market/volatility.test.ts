import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressOf } from "../../fixtures/routing/pools.ts";
import { createPoolStore } from "../../src/market/pool-store.ts";
import { type Volatility, VolatilityTracker, varianceOf } from "../../src/market/volatility.ts";
import type { Pool } from "../../src/pools/pool.ts";

const TOKENS = [addressOf(1, "token"), addressOf(2, "token")] as const;
const POOL = addressOf(1, "pool");

const pair = (id: typeof POOL, reserves: readonly [bigint, bigint]): Pool => ({
  ...{ id, source: "Test", tokens: TOKENS, curve: "constant-product" },
  state: { reserves, feeNum: 3n, feeDen: 1_000n },
});

/** Volatility after blocks with these reserves, one after the other from block 1. */
function followed(reserves: readonly (readonly [bigint, bigint])[], id = POOL) {
  const store = createPoolStore();
  const tracker = new VolatilityTracker();
  let known: Volatility | undefined;
  for (const [at, each] of reserves.entries()) {
    store.set(id, pair(id, each));
    known = tracker.update(store.freeze(BigInt(at)), BigInt(at + 1));
  }
  return known!;
}

const still = (blocks: number) => Array.from({ length: blocks }, () => [10n ** 20n, 10n ** 20n] as const);
/** A price that goes up by a factor in every second block, and back in the others. */
const swinging = (blocks: number, part: bigint) =>
  Array.from({ length: blocks }, (_, at) => [10n ** 20n, at % 2 === 0 ? 10n ** 20n : 10n ** 20n + part] as const);

describe("volatility", () => {
  it("is unknown for 16 blocks, and none of a pool that stands still", () => {
    expect(varianceOf(followed(still(16)), POOL, 16n)).toBeUndefined();
    expect(varianceOf(followed(still(17)), POOL, 17n)).toBe(0);
  });

  it("is the variance of the logarithm of the price per block, however many blocks were seen", () => {
    fc.assert(
      fc.property(fc.integer({ min: 20, max: 400 }), fc.bigInt(10n ** 15n, 10n ** 19n), (blocks, part) => {
        const step = Math.log(Number(10n ** 20n + part) / 1e20);
        const variance = varianceOf(followed(swinging(blocks, part)), POOL, BigInt(blocks))!;
        expect(Math.abs(variance / step ** 2 - 1)).toBeLessThan(1e-6);
      }),
      { numRuns: 30 },
    );
  });

  it("goes on in another market, whose pools have other places, with what has moved meanwhile", () => {
    const [moving, resting, fresh] = [addressOf(1, "pool"), addressOf(2, "pool"), addressOf(3, "pool")];
    const follow = (order: readonly (typeof POOL)[], tracker = new VolatilityTracker()) => {
      const store = createPoolStore();
      const at = (block: bigint) => {
        for (const id of order)
          store.set(id, pair(id, [10n ** 20n, 10n ** 20n + (id === moving ? (block % 3n) * 10n ** 18n : 0n)]));
        const graph = store.freeze(block);
        return { graph, volatility: tracker.update(graph, block) };
      };
      return at;
    };
    const alone = follow([moving, resting]);
    const earlier = follow([moving, resting]);
    let shown = earlier(1n);
    for (let block = 2n; block <= 40n; block++) shown = earlier(block);
    const tracker = new VolatilityTracker();
    tracker.recall(shown);
    tracker.reset();
    const later = follow([fresh, resting, moving], tracker);
    for (const block of [42n, 43n]) shown = later(block);
    let whole = alone(1n).volatility;
    for (const block of [...Array.from({ length: 39 }, (_, at) => BigInt(at + 2)), 42n, 43n])
      whole = alone(block).volatility;
    expect(varianceOf(shown.volatility, moving, 43n)).toBe(varianceOf(whole, moving, 43n));
    expect(varianceOf(shown.volatility, moving, 43n)).toBeGreaterThan(0);
    expect(varianceOf(shown.volatility, resting, 43n)).toBe(0);
    expect(varianceOf(shown.volatility, fresh, 43n)).toBeUndefined();
    expect([...shown.volatility.appeared]).toEqual([[fresh, 42n]]);
  });

  it("counts half after 64 blocks, and is forgotten after 1,024", () => {
    const blocks = [...swinging(1_000, 10n ** 18n), ...still(65)];
    const known = followed(blocks);
    const [then, later] = [varianceOf(known, POOL, 1_001n)!, varianceOf(known, POOL, 1_065n)!];
    expect(then / later).toBeCloseTo(2, 3);
    const other = addressOf(2, "pool");
    const store = createPoolStore();
    const tracker = new VolatilityTracker();
    const put = (id: typeof POOL, part: bigint, block: bigint) => {
      store.set(id, pair(id, [10n ** 20n, 10n ** 20n + part]));
      return tracker.update(store.freeze(block), block);
    };
    for (const [id, part, block] of [
      [POOL, 0n, 1n],
      [other, 0n, 2n],
      [POOL, 5n ** 25n, 3n],
    ] as const)
      put(id, part, block);
    expect([...put(other, 5n ** 25n, 1_100n).pools.keys()]).toEqual([other]);
  });

  it("is known of 4,096 pools, and looks at 512 of a block", () => {
    const store = createPoolStore();
    const tracker = new VolatilityTracker();
    const ids = Array.from({ length: 5_000 }, (_, at) => addressOf(at + 10, "pool"));
    let known: Volatility | undefined;
    for (let block = 1n; block < 14n; block++) {
      for (const [at, id] of ids.entries())
        if (block === 1n || Math.floor(at / 500) === Number(block) - 2)
          store.set(id, pair(id, [10n ** 20n, 10n ** 20n + block * 10n ** 17n]));
      known = tracker.update(store.freeze(block), block);
    }
    expect(known!.pools.size).toBe(4_096);
    expect(known!.pools.has(ids[4_999]!)).toBe(true);
    expect(known!.pools.has(ids[0]!)).toBe(false);
    for (const id of ids) store.set(id, pair(id, [10n ** 20n, 10n ** 21n]));
    const all = tracker.update(store.freeze(20n), 20n);
    expect([...all.pools.values()].filter(({ block }) => block === 20n)).toHaveLength(512);
  });

  it("goes on over blocks that leave the chain, and begins anew where nothing is left of what it saw", () => {
    const store = createPoolStore();
    const tracker = new VolatilityTracker();
    store.set(POOL, pair(POOL, [10n ** 20n, 10n ** 20n]));
    tracker.update(store.freeze(1n), 100n);
    store.set(POOL, pair(POOL, [10n ** 20n, 10n ** 20n + 5n ** 25n]));
    const after = tracker.update(store.freeze(2n), 120n);
    store.set(POOL, pair(POOL, [10n ** 20n, 10n ** 20n]));
    const back = tracker.update(store.freeze(3n), 119n);
    expect(back.since).toBe(100n);
    expect(varianceOf(back, POOL, 119n)!).toBeGreaterThan(varianceOf(after, POOL, 120n)!);
    expect(tracker.update(store.freeze(4n), 99n)).toEqual({ since: 99n, appeared: new Map(), pools: new Map() });
  });

  it("is unknown for 16 blocks of a pool that appears or comes back, and is that of the blocks it was there", () => {
    const store = createPoolStore();
    const tracker = new VolatilityTracker();
    const other = addressOf(2, "pool");
    let block = 0n;
    const step = (reserve: bigint | undefined) => {
      block++;
      store.set(other, pair(other, [10n ** 20n, 10n ** 20n]));
      store.set(POOL, reserve === undefined ? undefined : pair(POOL, [10n ** 20n, reserve]));
      return tracker.update(store.freeze(block), block);
    };
    for (let at = 0; at < 200; at++) step(undefined);
    const parts = [10n ** 19n, 10n ** 18n];
    for (const part of parts) {
      for (let at = 0; at < 30; at++) {
        const known = step(10n ** 20n + (at % 2 === 0 ? 0n : part));
        const variance = varianceOf(known, POOL, block);
        if (at < 16) expect(variance).toBeUndefined();
        else expect(variance! / Math.log(1 + Number(part) / 1e20) ** 2).toBeCloseTo(1, 6);
        expect(varianceOf(known, other, block)).toBe(0);
      }
      // It is hidden for a while, and begins anew.
      for (let at = 0; at < 3; at++) step(undefined);
    }
  });

  it("claims less of all pools where more than 4,096 appear at a time", () => {
    const store = createPoolStore();
    const tracker = new VolatilityTracker();
    store.set(POOL, pair(POOL, [10n ** 20n, 10n ** 20n]));
    tracker.update(store.freeze(1n), 1n);
    const add = (from: number, count: number, block: bigint) => {
      for (let at = from; at < from + count; at++)
        store.set(addressOf(at, "pool"), pair(addressOf(at, "pool"), [10n ** 20n, 10n ** 20n]));
      return tracker.update(store.freeze(block), block);
    };
    const first = add(10, 4_096, 50n);
    expect(varianceOf(first, POOL, 50n)).toBe(0);
    const known = add(5_000, 2, 60n);
    expect(known.appeared.size).toBe(4_096);
    expect(known.since).toBe(50n);
    for (const id of [POOL, addressOf(10, "pool"), addressOf(5_001, "pool")]) {
      expect(varianceOf(known, id, 65n)).toBeUndefined();
      expect(varianceOf(known, id, 76n)).toBe(0);
    }
    const later = add(6_000, 1, 1_085n);
    expect([...later.appeared.keys()]).toEqual([addressOf(6_000, "pool")]);
    expect(later.since).toBe(50n);
  });
});
