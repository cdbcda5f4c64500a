import { describe, expect, it } from "vitest";
import type { Pool } from "../../src/pools/pool.ts";
import type { PoolGraph } from "../../src/routing/router.ts";
import { pair, tokenAt } from "./pairs.ts";

const POOLS = Array.from({ length: 40 }, (_, index) =>
  pair(`pool-${index}`, tokenAt(index % 5), tokenAt(5 + (index % 3)), BigInt(index + 1), 7n),
);

/** Holds every graph of pools to the same. */
export function describePoolGraph(name: string, graphOf: (pools: readonly Pool[], time: bigint) => PoolGraph): void {
  describe(`a graph of pools ${name}`, () => {
    it("has each pool by its id, by its tokens and in its chunks, the oldest first, and no other", () => {
      const graph = graphOf(POOLS, 9n);
      expect(graph.time).toBe(9n);
      expect(POOLS.map(({ id }) => graph.pool(id))).toEqual(POOLS);
      expect(graph.pool("elsewhere")).toBeUndefined();
      for (let token = 0; token < 8; token++) {
        const held = POOLS.filter(({ tokens }) => tokens.includes(tokenAt(token)));
        expect(held.length).toBeGreaterThan(5);
        expect(graph.poolsOf(tokenAt(token))).toEqual(held);
      }
      expect(graph.poolsOf(tokenAt(8))).toEqual([]);
      expect(graph.chunks().flatMap((chunk) => chunk.filter((pool) => pool !== undefined))).toEqual(POOLS);
    });

    it("answers the same question with the same list", () => {
      const graph = graphOf(POOLS, 9n);
      expect(graph.poolsOf(tokenAt(1))).toBe(graph.poolsOf(tokenAt(1)));
    });
  });
}
