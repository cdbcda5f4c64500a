import { afterEach, describe, expect, test } from "vitest";
import { type Address, toAddress } from "../../src/domain/address.ts";
import type { KnownPool, PoolCatalog } from "../../src/market/pool-catalog.ts";

export const TERMS = new Map([
  ["First", "3/1000"],
  ["Second", "5/1000"],
]);

export const addressOf = (number: number): Address => toAddress(`0x${number.toString(16).padStart(40, "0")}`);

/** A pool by its number, of two tokens. */
export function poolOf(number: number, tokens: readonly number[], source = "First"): KnownPool {
  const address = addressOf(0x1000 + number);
  return { source, ref: { id: address, address, tokens: tokens.map(addressOf), terms: { fee: String(number) } } };
}

const idOf = (number: number) => poolOf(number, []).ref.id;

/** Holds every implementation of PoolCatalog to the same. */
export function describePoolCatalog(name: string, create: () => PoolCatalog) {
  describe(name, () => {
    const opened: PoolCatalog[] = [];
    afterEach(() => {
      for (const catalog of opened.splice(0)) catalog.close();
    });

    async function begun(): Promise<PoolCatalog> {
      const catalog = create();
      opened.push(catalog);
      await catalog.begin(TERMS, () => false);
      return catalog;
    }

    test("gives back what sleeps, whole, by its id, by its tokens and by its source", async () => {
      const catalog = await begun();
      const named = { id: "a name", address: addressOf(9), tokens: [addressOf(1)], terms: { of: "ä" } };
      const pools = [poolOf(1, [1, 2]), poolOf(2, [2, 3], "Second"), { source: "Second", ref: named }];
      catalog.add(pools);
      catalog.add(pools);
      for (const pool of pools) expect(catalog.get(pool.ref.id)).toMatchObject(pool);
      expect(catalog.get(idOf(3))).toBeUndefined();
      expect([catalog.has(idOf(2)), catalog.has(idOf(3))]).toEqual([true, false]);
      expect([catalog.size, catalog.count("First"), catalog.count("Second"), catalog.count("Third")]).toEqual([
        3, 1, 2, 0,
      ]);
      expect(catalog.with(addressOf(2), 9)).toEqual([idOf(1), idOf(2)]);
      expect(catalog.with(addressOf(2), 1)).toEqual([idOf(1)]);
      expect(catalog.with(addressOf(7), 9)).toEqual([]);
      expect([...catalog.all()].map(({ ref }) => ref)).toEqual(pools.map(({ ref }) => ref));
    });

    test("takes out what wakes and what there is not any more, and lets it sleep again", async () => {
      const catalog = await begun();
      const pools = Array.from({ length: 1_200 }, (_, index) => poolOf(index, [1, 10 + index]));
      catalog.add(pools);
      catalog.wake([idOf(0), idOf(5)]);
      catalog.wake([idOf(5), idOf(4_000)]);
      catalog.remove([idOf(1), idOf(4_000)]);
      expect([catalog.size, catalog.count("First")]).toEqual([1_197, 1_197]);
      for (const gone of [0, 1, 5]) {
        expect(catalog.get(idOf(gone))).toBeUndefined();
        expect(catalog.with(addressOf(10 + gone), 9)).toEqual([]);
      }
      expect(catalog.with(addressOf(1), 2_000).length).toBe(1_197);
      catalog.add([poolOf(5, [1, 15])]);
      expect(catalog.with(addressOf(15), 9)).toEqual([idOf(5)]);
      // A woken pool sleeps after a new start, unless it is awake then.
      await catalog.begin(TERMS, (id) => id === idOf(5));
      expect([catalog.has(idOf(0)), catalog.size]).toEqual([true, 1_199]);
      expect([...catalog.all()].length).toBe(1_199);
    });

    test("gives every pool its turn", async () => {
      const catalog = await begun();
      catalog.add(Array.from({ length: 25 }, (_, index) => poolOf(index, [1, 10 + index])));
      catalog.wake([idOf(3)]);
      const seen = [1, 2, 3].flatMap(() => catalog.next(10)).map(({ id }) => id);
      expect(new Set(seen).size).toBe(24);
      expect(seen).toContain(idOf(24));
      expect(catalog.next(10)[0]).toEqual({ id: idOf(0), tokens: [addressOf(1), addressOf(10)] });
    });

    test("drops what is of a source that there is not any more, and nothing else", async () => {
      const catalog = await begun();
      catalog.add(Array.from({ length: 1_100 }, (_, index) => poolOf(index, [1, 2], index % 2 ? "First" : "Second")));
      catalog.wake([idOf(0), idOf(1)]);
      await catalog.begin(new Map([["First", "3/1000"]]), () => false);
      expect([catalog.size, catalog.count("First"), catalog.count("Second")]).toEqual([550, 550, 0]);
      expect(catalog.with(addressOf(1), 2_000).length).toBe(550);
      await catalog.begin(new Map(), () => false);
      expect([catalog.size, catalog.next(10).length]).toEqual([0, 0]);
    });

    test("knows its own marks, of now and of before", async () => {
      const [catalog, other] = [await begun(), await begun()];
      const before = catalog.mark();
      catalog.add([poolOf(1, [1, 2])]);
      const after = catalog.mark();
      catalog.remove([idOf(1)]);
      expect([catalog.holds(before), catalog.holds(after), other.holds(before)]).toEqual([true, true, false]);
      expect(catalog.holds({ ...after, entries: after.entries + 1 })).toBe(false);
    });
  });
}
