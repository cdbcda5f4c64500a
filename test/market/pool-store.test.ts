import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Address } from "../../src/domain/address.ts";
import { withoutPools } from "../../src/market/hidden-pools.ts";
import { createPoolStore } from "../../src/market/pool-store.ts";
import type { Pool } from "../../src/pools/pool.ts";
import type { PoolGraph } from "../../src/routing/router.ts";
import { pair, tokenAt } from "./pairs.ts";

const POOLS = 600;
/** Pools that the random changes meet: few, so that they meet again; spread over all chunks. */
const CHANGED = 40;
const TOKENS = 9;

/** The tokens of a pool never change; its reserves tell its states apart. */
function poolAt(index: number, state: number): Pool {
  return pair(`pool-${index}`, tokenAt(index % TOKENS), tokenAt((index * 7 + 3) % TOKENS), BigInt(state + 1), 5n);
}

function contentOf(graph: PoolGraph): ReadonlyMap<string, Pool> {
  const found = new Map<string, Pool>();
  for (let token = 0; token < TOKENS; token++) {
    for (const pool of graph.poolsOf(tokenAt(token))) {
      expect(pool.tokens).toContain(tokenAt(token));
      expect(graph.pool(pool.id)).toBe(pool);
      found.set(pool.id, pool);
    }
  }
  return found;
}

describe("the pool store", () => {
  it("gives snapshots that stay what they were, whatever happens afterwards", () => {
    const change = fc.record({
      index: fc.nat(CHANGED - 1).map((place) => place * 15),
      state: fc.option(fc.nat(1_000), { nil: undefined, freq: 4 }),
    });
    let removed = 0;
    fc.assert(
      fc.property(fc.array(fc.array(change, { maxLength: 60 }), { maxLength: 6 }), (blocks) => {
        const store = createPoolStore();
        const model = new Map<string, Pool>();
        for (let index = 0; index < POOLS; index += 3) {
          model.set(`pool-${index}`, poolAt(index, 0));
          store.set(`pool-${index}`, poolAt(index, 0));
        }
        const frozen: { graph: PoolGraph; model: ReadonlyMap<string, Pool> }[] = [];
        for (const changes of blocks) {
          for (const { index, state } of changes) {
            const id = `pool-${index}`;
            if (state === undefined) {
              if (model.delete(id)) removed += 1;
              store.set(id, undefined);
            } else {
              const pool = poolAt(index, state);
              model.set(id, pool);
              store.set(id, pool);
            }
          }
          frozen.push({ graph: store.freeze(1n), model: new Map(model) });
        }
        for (const { graph, model: then } of frozen) {
          expect(contentOf(graph)).toEqual(then);
        }
        expect(store.count("Test")).toBe(model.size);
      }),
      { seed: 7, numRuns: 25 },
    );
    expect(removed).toBeGreaterThan(50);
  });

  it("shares everything that did not change", () => {
    const store = createPoolStore();
    for (let index = 0; index < POOLS; index++) store.set(`pool-${index}`, poolAt(index, 0));
    const before = store.freeze(1n);
    store.set("pool-5", poolAt(5, 9));
    const after = store.freeze(2n);
    const changed = Array.from({ length: POOLS }, (_, index) => `pool-${index}`).filter((id) => {
      return before.pool(id) !== after.pool(id);
    });
    expect(changed).toEqual(["pool-5"]);
    expect(store.freeze(3n).poolsOf(tokenAt(1))).toEqual(after.poolsOf(tokenAt(1)));
  });

  it("keeps hidden pools out of sight and in memory", () => {
    const store = createPoolStore();
    for (let index = 0; index < POOLS; index++) store.set(`pool-${index}`, poolAt(index, 0));
    const whole = store.freeze(1n);
    const graph = withoutPools(whole, new Set(["pool-1"]));
    const { tokens } = whole.pool("pool-1") as Pool;
    const [first, second] = tokens as [Address, Address];
    expect(graph.pool("pool-1")).toBeUndefined();
    for (const pools of [graph.poolsOf(first), graph.poolsBetween(first, second), graph.all(), graph.chunks().flat()]) {
      expect(pools.map((pool) => pool?.id)).not.toContain("pool-1");
    }
    expect(graph.all()).toHaveLength(POOLS - 1);
    expect(graph.chunks().filter((chunk, index) => chunk !== whole.chunks()[index])).toHaveLength(1);
    expect(whole.pool("pool-1")).toBe(store.get("pool-1"));
    expect(withoutPools(whole, new Set())).toBe(whole);
  });

  it("has no pools of tokens that nobody ever saw", () => {
    const graph = createPoolStore().freeze(1n);
    expect(graph.poolsOf("0x0" as Address)).toEqual([]);
    expect(graph.pool("nothing")).toBeUndefined();
  });
});
