import { afterEach, describe, expect, it } from "vitest";
import type { SourceId } from "../../src/domain/source.ts";
import type { Snapshot } from "../../src/market/snapshot.ts";
import type { MarketView } from "../../src/quoting/ports.ts";

/** A market that may be quoted from, and what it is of. */
export interface MarketUnderTest {
  readonly market: MarketView;
  readonly sources: readonly SourceId[];
  /** Makes the next block and waits until it is seen; absent where a market never moves. */
  readonly move?: () => Promise<void>;
  readonly stop?: () => Promise<void>;
}

/** Holds every implementation of MarketView to the same. */
export function describeMarketView(name: string, create: () => Promise<MarketUnderTest>): void {
  describe(`a market ${name}`, () => {
    const ends: (() => Promise<void>)[] = [];
    afterEach(async () => {
      for (const end of ends.splice(0)) await end();
    });

    async function world(): Promise<MarketUnderTest> {
      const made = await create();
      if (made.stop !== undefined) ends.push(made.stop);
      return made;
    }

    it("is the same snapshot until there is another block, and that one never changes", async () => {
      const { market, move } = await world();
      const first = snapshotOf(market);
      expect(snapshotOf(market)).toBe(first);
      expect(first.graph.time).toBe(first.block.timestamp);
      const before = structuredClone([first.block, first.graph.all()]);
      await move?.();
      expect([first.block, first.graph.all()]).toEqual(before);
      expect(snapshotOf(market) === first).toBe(move === undefined);
      expect(snapshotOf(market).block.number > first.block.number).toBe(move !== undefined);
    });

    it("has every pool under its id, its tokens and its source", async () => {
      const { market, sources } = await world();
      const { graph, tokens } = snapshotOf(market);
      const all = graph.all();
      expect(all.length).toBeGreaterThan(0);
      expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
      for (const pool of all) {
        expect(graph.pool(pool.id)).toBe(pool);
        expect(sources).toContain(pool.source);
        for (const token of pool.tokens) {
          expect(graph.poolsOf(token)).toContain(pool);
          expect(tokens.has(token)).toBe(true);
        }
      }
    });

    it("tells of each source how many pools it has, and of which block", async () => {
      const { market, sources } = await world();
      const { graph, block } = snapshotOf(market);
      const states = market.sources();
      expect([...states.keys()].sort()).toEqual([...sources].sort());
      const pools = graph.all().map(({ source }) => source);
      for (const [id, { pools: count, status, blockNumber }] of states) {
        expect([id, count]).toEqual([id, pools.filter((source) => source === id).length]);
        expect([id, status, blockNumber]).toEqual([id, "live", block.number]);
      }
    });

    it("bears being told of pools that it does not have, or that are as they ought to be", async () => {
      const { market } = await world();
      const { graph, block } = snapshotOf(market);
      const ids = graph.all().map(({ id }) => id);
      for (const pools of [[], ["0xnowhere"], ids]) expect(market.recheck(pools)).toBeUndefined();
      const after = snapshotOf(market);
      expect([after.block, after.graph.all()]).toEqual([block, graph.all()]);
    });
  });
}

function snapshotOf(market: MarketView): Snapshot {
  const now = market.current();
  if ("unavailable" in now) throw new Error(now.unavailable);
  return now.snapshot;
}
