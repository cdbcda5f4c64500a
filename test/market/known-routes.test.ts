import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Address } from "../../src/domain/address.ts";
import type { BlockRef } from "../../src/domain/block.ts";
import { type Route, SHARE_ONE } from "../../src/domain/route.ts";
import { type NumberedPools, RouteMemory, warmStartOf } from "../../src/market/known-routes.ts";
import { PoolSlots } from "../../src/market/pool-slots.ts";
import { pair, tokenAt } from "./pairs.ts";

const pools = new PoolSlots();
for (const [slot, id] of ["a", "b", "c"].entries())
  pools.put(slot * 20, pair(id, tokenAt(slot), tokenAt(slot + 1), 10n ** 20n, 10n ** 20n));
const numbered: NumberedPools = {
  slotOf: (id) => pools.slotOf(id),
  get: (id) => [...pools.entries()].map(([, pool]) => pool).find((pool) => pool.id === id),
};

function route(sellToken: Address, buyToken: Address, sellAmount: bigint, ids: readonly string[]): Route {
  const fills = ids.map((poolId) => {
    const [first, second] = numbered.get(poolId)?.tokens ?? [sellToken, buyToken];
    const tokens = { sellToken: first as Address, buyToken: second as Address };
    return { ...tokens, poolId, source: "Test", sellAmount, buyAmount: sellAmount, gas: 1n, share: SHARE_ONE };
  });
  return { kind: "exactIn", sellToken, buyToken, sellAmount, buyAmount: sellAmount, fills };
}

const startAt = (memory: RouteMemory, sellToken: Address, buyToken: Address, number = 0n) =>
  warmStartOf(
    { known: memory.fix(numbered), block: { number }, graph: pools.freeze(1n, []) },
    { kind: "exactIn", sellToken, buyToken, sellAmount: 1n },
  );

describe("routes that searches begin with", () => {
  const [A, B, C] = [tokenAt(0), tokenAt(1), tokenAt(2)];

  it("are those of the same two tokens, the newest for each size of amount", () => {
    const memory = new RouteMemory();
    memory.record(route(A, C, 5_000n, ["a"]), { at: 0n, isDeep: false }, numbered);
    memory.record(route(A, C, 1_000_000n, ["a", "b"]), { at: 0n, isDeep: false }, numbered);
    memory.record(route(A, C, 6_000n, ["b"]), { at: 1n, isDeep: false }, numbered);
    expect(startAt(memory, C, A)).toBeUndefined();
    expect(startAt(memory, A, B)).toBeUndefined();
    expect(startAt(memory, A, C)?.routes).toEqual([
      {
        ...{ sellAmount: 1_000_000n, buyAmount: 1_000_000n },
        uses: [
          { poolId: "a", sellToken: A, buyToken: B },
          { poolId: "b", sellToken: B, buyToken: C },
        ],
      },
      { sellAmount: 6_000n, buyAmount: 6_000n, uses: [{ poolId: "b", sellToken: B, buyToken: C }] },
    ]);
  });

  it("are the same whichever search of a block ended first", () => {
    const all = [
      [route(A, C, 5_000n, ["a"]), 7n],
      [route(A, C, 6_000n, ["b"]), 7n],
      [route(A, C, 7_000n, ["a"]), 6n],
      [route(A, C, 1_000_000n, ["a", "b"]), 7n],
      [route(A, B, 1_000_000n, ["a"]), 5n],
    ] as const;
    const startsOf = (ordered: readonly (typeof all)[number][]) => {
      const memory = new RouteMemory();
      for (const [found, at] of ordered) memory.record(found, { at, isDeep: false }, numbered);
      return [startAt(memory, A, C), startAt(memory, A, B)];
    };
    expect(startsOf(all)[0]?.routes.map(({ sellAmount }) => sellAmount)).toEqual([6_000n, 1_000_000n]);
    fc.assert(
      fc.property(fc.shuffledSubarray([...all], { minLength: all.length }), (ordered) => {
        expect(startsOf(ordered)).toEqual(startsOf(all));
      }),
    );
  });

  it("are those of deep searches before others of the same block, and of equals those that take less", () => {
    const deep = { at: 7n, isDeep: true };
    const plain = { at: 7n, isDeep: false };
    const better = { ...route(A, C, 5_000n, ["b"]), sellAmount: 4_999n };
    const all = [
      [route(A, C, 5_000n, ["a"]), deep],
      [better, deep],
      [route(A, C, 7_000n, ["a"]), plain],
    ] as const;
    for (const ordered of [all, all.toReversed()]) {
      const memory = new RouteMemory();
      for (const [found, finding] of ordered) memory.record(found, finding, numbered);
      expect(startAt(memory, A, C)?.routes.map(({ sellAmount }) => sellAmount)).toEqual([4_999n]);
    }
    const memory = new RouteMemory();
    memory.record(better, deep, numbered);
    memory.record(route(A, C, 7_000n, ["a"]), { at: 8n, isDeep: false }, numbered);
    expect(startAt(memory, A, C)?.routes.map(({ sellAmount }) => sellAmount)).toEqual([7_000n]);
  });

  it("have none of the pools that makers offer, nor of those that are gone", () => {
    const memory = new RouteMemory();
    memory.record(route(A, C, 5_000n, ["maker:desk"]), { at: 0n, isDeep: false }, numbered);
    expect(startAt(memory, A, C)).toBeUndefined();
    memory.record(route(A, C, 5_000n, ["a", "maker:desk", "b"]), { at: 0n, isDeep: false }, numbered);
    expect(startAt(memory, A, C)?.routes[0]?.uses.map(({ poolId }) => poolId)).toEqual(["a", "b"]);
    pools.put(0, undefined);
    expect(startAt(memory, A, C)?.routes[0]?.uses.map(({ poolId }) => poolId)).toEqual(["b"]);
    pools.put(0, pair("a", A, B, 10n ** 20n, 10n ** 20n));
  });

  it("stay as they were when a block was published", () => {
    const memory = new RouteMemory();
    memory.record(route(A, C, 5_000n, ["a"]), { at: 0n, isDeep: false }, numbered);
    const before = memory.fix(numbered);
    expect(memory.fix(numbered)).toBe(before);
    memory.record(route(A, C, 5_000n, ["b"]), { at: 1n, isDeep: false }, numbered);
    memory.record(route(A, B, 5_000n, ["a"]), { at: 0n, isDeep: false }, numbered);
    expect([...before.values()].map(({ routes }) => routes.map(({ uses }) => uses))).toEqual([
      [[{ slot: 0, sell: 0, buy: 1 }]],
    ]);
    expect(memory.fix(numbered).size).toBe(2);
  });

  it("go on in another market, whose pools have other slots, until newer ones are found there", () => {
    const memory = new RouteMemory();
    memory.record(route(A, C, 5_000n, ["a", "b"]), { at: 7n, isDeep: true }, numbered);
    memory.record(route(A, C, 10n ** 9n, ["c"]), { at: 7n, isDeep: false }, numbered);
    const shown = { known: memory.fix(numbered), graph: pools.freeze(1n, []), block: { number: 7n } as BlockRef };

    const moved = new PoolSlots();
    for (const [slot, id] of ["b", "a"].entries()) moved.put(slot, numbered.get(id));
    const other = new RouteMemory();
    other.recall(shown);
    // A beginning that fails is made again.
    other.forget();
    const theirs = { ...numbered, slotOf: (id: string) => moved.slotOf(id) };
    const order = { kind: "exactIn", sellToken: A, buyToken: C, sellAmount: 1n } as const;
    const startOf = () =>
      warmStartOf({ known: other.fix(theirs), block: { number: 8n }, graph: moved.freeze(1n, []) }, order)?.routes;
    // Pools that the other market does not have are left out.
    expect(startOf()).toEqual([
      {
        ...{ sellAmount: 5_000n, buyAmount: 5_000n },
        uses: [
          { poolId: "a", sellToken: A, buyToken: B },
          { poolId: "b", sellToken: B, buyToken: C },
        ],
      },
    ]);
    other.record(route(A, C, 6_000n, ["b"]), { at: 8n, isDeep: false }, theirs);
    expect(startOf()?.map(({ sellAmount }) => sellAmount)).toEqual([6_000n]);
    other.forget();
    expect(startOf()).toBeUndefined();
  });

  it("are bounded in pairs, those asked for last staying, and in amounts", () => {
    const memory = new RouteMemory();
    for (let amount = 1n; amount < 10n ** 30n; amount *= 4n)
      memory.record(route(A, C, amount, ["a"]), { at: 0n, isDeep: false }, numbered);
    expect(startAt(memory, A, C)?.routes).toHaveLength(8);
    expect(startAt(memory, A, C)?.routes.at(-1)?.sellAmount).toBe(4n ** 49n);
    for (let index = 0; index < 300; index++) {
      memory.record(route(A, tokenAt(100 + index), 5n, ["a"]), { at: BigInt(index), isDeep: false }, numbered);
      memory.record(route(A, C, 5n, ["a"]), { at: BigInt(index), isDeep: false }, numbered);
    }
    expect(memory.fix(numbered).size).toBe(128);
    expect(startAt(memory, A, C)).toBeDefined();
    expect(startAt(memory, A, tokenAt(399))).toBeDefined();
    expect(startAt(memory, A, tokenAt(100))).toBeUndefined();
  });

  it("are looked beyond in one block of sixteen, pair by pair", () => {
    const memory = new RouteMemory();
    const others = Array.from({ length: 64 }, (_, index) => tokenAt(100 + index));
    for (const other of others) memory.record(route(A, other, 5n, ["a"]), { at: 0n, isDeep: false }, numbered);
    const explored = Array.from({ length: 16 }, (_, number) =>
      others.filter((other) => startAt(memory, A, other, BigInt(number))?.explores),
    );
    expect(new Set(explored.flat())).toEqual(new Set(others));
    for (const pairs of explored) expect(pairs.length).toBeLessThan(16);
  });
});
