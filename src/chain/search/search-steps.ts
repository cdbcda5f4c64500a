import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { SearchRange } from "./background-search.ts";

/** Blocks that are searched for pools of the same sources, first and last. */
interface SearchStep {
  readonly searched: readonly LiquiditySource[];
  readonly from: bigint;
  readonly to: bigint;
  /** Whether nothing but what it is still to search is missing, of any source: one block tells then how far all have come. */
  readonly isCommon: boolean;
}

/** Ranges cut where another one begins or ends, the lowest blocks first: no block is searched twice for one source. */
export function searchSteps(
  sources: readonly LiquiditySource[],
  ranges: readonly SearchRange[],
): readonly SearchStep[] {
  const edges = [...new Set(ranges.flatMap(({ next, to }) => [next, to + 1n]))].sort((a, b) => (a < b ? -1 : 1));
  const steps = edges.slice(0, -1).flatMap((from, index) => {
    const to = edges[index + 1]! - 1n;
    const open = new Set(
      ranges.filter((range) => range.next <= from && to <= range.to).flatMap((range) => range.sources),
    );
    const searched = sources.filter(({ id }) => open.has(id));
    return searched.length === 0 ? [] : [{ searched, from, to }];
  });
  const announcing = sources.filter(({ creation }) => creation !== undefined).length;
  return steps.map((step, index) => {
    return { ...step, isCommon: index === steps.length - 1 && step.searched.length === announcing };
  });
}
