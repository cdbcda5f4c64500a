import type { Hex } from "../../domain/address.ts";
import type { SourceId } from "../../domain/source.ts";
import type { Log } from "../../market/chain-reader.ts";
import type { UnservedReason } from "../../market/eligibility.ts";
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

/** A pool that a log announces and that is not served. */
export interface Refused {
  readonly source: SourceId;
  readonly reason: UnservedReason;
}

/** The pools that a log announces and that no source serves. */
export function refused(log: Log, sources: readonly LiquiditySource[]): readonly Refused[] {
  const all = sources.flatMap((source): readonly Refused[] => {
    const { creation } = source;
    if (!creation?.topics.includes(log.topics[0]!) || !creation.addresses.includes(log.address)) return [];
    const reason = source.refused?.(log);
    return reason === undefined ? [] : [{ source: source.id, reason }];
  });
  // A pool that one source leaves alone may be another's: hooks of Uniswap V4 that the record names.
  return all.length === 0 || announced(log, sources).length > 0 ? [] : all;
}

/**
 * Entries of a block's bloom, one of which it has if there is a log that a set of sources wants to see: first topics, and
 * addresses of contracts whose logs have none.
 */
export function bloomEntriesOf(sources: readonly LiquiditySource[]): readonly Hex[] {
  const entries = sources.flatMap(({ stateTopics, anonymousFrom = [], creation }) => {
    return [...stateTopics, ...anonymousFrom, ...(creation?.topics ?? [])];
  });
  return [...new Set(entries)];
}
