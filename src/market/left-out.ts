import type { SourceId } from "../domain/source.ts";
import { curveOf } from "../pools/pool.ts";
import type { LeftOut, LeftOutReason } from "./eligibility.ts";
import { countLimited } from "./hop-tokens.ts";
import type { MarketGraph } from "./pool-store.ts";

/**
 * Tells which pools take no part in routes, or not in all, source by source: those that the rule of eligibility leaves out of a
 * graph, those in it that are switched off, and those that are not served. Counted when it is first asked for.
 */
export function leftOutOf(
  graph: MarketGraph | undefined,
  withheld: ReadonlyMap<SourceId, number>,
  unserved?: (source: SourceId) => readonly LeftOut[],
): (source: SourceId) => readonly LeftOut[] {
  let limited: ReadonlyMap<SourceId, number> | undefined;
  let paused: ReadonlyMap<SourceId, number> | undefined;
  return (source) => {
    limited ??= graph?.hops === undefined ? new Map() : countLimited(graph, graph.hops);
    paused ??= graph === undefined ? new Map() : countPaused(graph);
    return summedUp([
      { reason: "CONTROLLER_NOT_ALLOWED", pools: withheld.get(source) ?? 0 },
      { reason: "TOKEN_NOT_A_HOP", pools: limited.get(source) ?? 0 },
      { reason: "PAUSED", pools: paused.get(source) ?? 0 },
      ...(unserved?.(source) ?? []),
    ]);
  };
}

/** Each reason once. */
function summedUp(counts: readonly LeftOut[]): readonly LeftOut[] {
  const sums = new Map<LeftOutReason, number>();
  for (const { reason, pools } of counts) sums.set(reason, (sums.get(reason) ?? 0) + pools);
  return [...sums].flatMap(([reason, pools]) => (pools > 0 ? [{ reason, pools }] : []));
}

/** Pools of a graph that nobody can trade since they are switched off. */
function countPaused(graph: MarketGraph): ReadonlyMap<SourceId, number> {
  const counts = new Map<SourceId, number>();
  for (const pool of graph.all()) {
    if (curveOf(pool).isPaused?.(pool.state) === true) counts.set(pool.source, (counts.get(pool.source) ?? 0) + 1);
  }
  return counts;
}
