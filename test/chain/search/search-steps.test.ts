import fc from "fast-check";
import { expect, it } from "vitest";
import type { SearchRange } from "../../../src/chain/search/background-search.ts";
import { searchSteps } from "../../../src/chain/search/search-steps.ts";
import type { LiquiditySource } from "../../../src/market/liquidity-source.ts";

const IDS = ["A", "B", "C"];
const LAST = 30;
const sources = IDS.map((id) => ({ id, creation: { addresses: [], topics: [] } })) as unknown as LiquiditySource[];

/** Ranges, none of which shares a block with another one of its source: each block is open for some of the sources. */
const rangesOf = fc
  .array(fc.subarray(IDS), { minLength: LAST + 1, maxLength: LAST + 1 })
  .map((open): { open: readonly string[][]; ranges: readonly SearchRange[] } => {
    const ranges = IDS.flatMap((id) => {
      const blocks = open.flatMap((ids, block) => (ids.includes(id) ? [block] : []));
      const firsts = blocks.filter((block) => !blocks.includes(block - 1));
      return firsts.map((first): SearchRange => {
        let to = first;
        while (blocks.includes(to + 1)) to += 1;
        return { sources: [id], next: BigInt(first), to: BigInt(to) };
      });
    });
    return { open, ranges };
  });

it("every block is searched once for each source that it is open for, the lowest first", () => {
  fc.assert(
    fc.property(rangesOf, ({ open, ranges }) => {
      const steps = searchSteps(sources, ranges);
      const searched = Array.from({ length: LAST + 1 }, (): string[] => []);
      let before = -1n;
      for (const { from, to, searched: by } of steps) {
        expect(from).toBeGreaterThan(before);
        before = to;
        for (let block = from; block <= to; block++) searched[Number(block)]!.push(...by.map(({ id }) => id));
      }
      expect(searched).toEqual(open);
    }),
  );
});

it("one block tells how far all have come only in a last step that is of all sources", () => {
  const range = (of: readonly string[], next: bigint, to: bigint) => ({ sources: of, next, to });
  const common = (...ranges: readonly SearchRange[]) => searchSteps(sources, ranges).map(({ isCommon }) => isCommon);
  expect(common()).toEqual([]);
  expect(common(range(IDS, 0n, 9n))).toEqual([true]);
  expect(common(range(["A"], 0n, 9n))).toEqual([false]);
  expect(common(range(["A"], 0n, 9n), range(IDS, 10n, 19n))).toEqual([false, true]);
  expect(common(range(IDS, 0n, 9n), range(["B"], 10n, 19n))).toEqual([false, false]);
});
