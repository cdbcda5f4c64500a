import type { Hex } from "../../domain/address.ts";
import type { Log } from "../../market/chain-reader.ts";
import type { LiquiditySource, PoolRef } from "../../market/liquidity-source.ts";

/** A pool and the source that it belongs to. */
export interface Found {
  readonly ref: PoolRef;
  readonly source: LiquiditySource;
}

/** The pools that a log announces. */
export function announced(log: Log, sources: readonly LiquiditySource[]): readonly Found[] {
  return sources.flatMap((source): readonly Found[] => {
    const { creation } = source;
    if (!creation?.topics.includes(log.topics[0]!) || !creation.addresses.includes(log.address)) return [];
    const ref = source.created?.(log);
    return ref === undefined ? [] : [{ ref, source }];
  });
}

/** First topics of all logs that a set of sources wants to see. */
export function topicsOf(sources: readonly LiquiditySource[]): readonly Hex[] {
  return [...new Set(sources.flatMap((source) => [...source.stateTopics, ...(source.creation?.topics ?? [])]))];
}
