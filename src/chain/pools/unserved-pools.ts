import type { SourceId } from "../../domain/source.ts";
import type { LeftOut, UnservedReason } from "../../market/eligibility.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { Market } from "../../market/market.ts";
import type { HeldPools } from "./block-changes.ts";
import type { Refused } from "./found-pools.ts";

/** So many pools that are not served for one reason. */
export interface Unserved {
  readonly reason: UnservedReason;
  readonly pools: number;
}

/** So many pools of a source that were announced and are not served for one reason. */
export interface RefusedCount extends Refused, Unserved {}

/**
 * Counts of announced pools that are not served, by source and reason. Only counts are kept: there may be millions of
 * such pools.
 */
export class RefusedCounts {
  readonly #counts = new Map<SourceId, Map<UnservedReason, number>>();

  constructor(counts: Iterable<RefusedCount> = []) {
    this.addCounts(counts);
  }

  addCounts(counts: Iterable<RefusedCount>): void {
    for (const { pools, ...refused } of counts) this.addAll([refused], pools);
  }

  /** Counts each of these `times` times. */
  addAll(refused: Iterable<Refused>, times = 1): void {
    for (const { source, reason } of refused) {
      const ofSource = this.#counts.get(source) ?? new Map<UnservedReason, number>();
      this.#counts.set(source, ofSource);
      ofSource.set(reason, (ofSource.get(reason) ?? 0) + times);
    }
  }

  /** The counts before these were added. */
  without(refused: Iterable<Refused>): readonly RefusedCount[] {
    const before = new RefusedCounts(this.all());
    before.addAll(refused, -1);
    return before.all();
  }

  of(source: SourceId): readonly Unserved[] {
    const counts = this.#counts.get(source) ?? new Map<UnservedReason, number>();
    return [...counts].flatMap(([reason, pools]) => (pools > 0 ? [{ reason, pools }] : []));
  }

  all(): readonly RefusedCount[] {
    return [...this.#counts.keys()].flatMap((source) => this.of(source).map((count) => ({ source, ...count })));
  }
}

/** Pools of a source that are not served: those that were refused, and those that are awake and could not be read. */
export function unservedOf(
  source: LiquiditySource,
  { tracked, store, told }: HeldPools,
  refused: RefusedCounts,
): readonly Unserved[] {
  const { id } = source;
  const counts = new RefusedCounts(refused.of(id).map((count) => ({ source: id, ...count })));
  let unread = tracked.count(source) - store.count(id) - store.countWithheld(id);
  for (const [pool, reason] of told) {
    if (tracked.get(pool)?.source !== source || store.get(pool) !== undefined) continue;
    counts.addAll([{ source: id, reason }]);
    unread -= 1;
  }
  counts.addAll([{ source: id, reason: "NOT_READABLE" }], unread);
  return counts.of(id);
}

/** Counts and single reasons of one source as one count each. */
export function sumUp(
  source: SourceId,
  counts: readonly Unserved[],
  reasons: Iterable<UnservedReason>,
): readonly Unserved[] {
  const all = new RefusedCounts(counts.map((count) => ({ source, ...count })));
  for (const reason of reasons) all.addAll([{ source, reason }]);
  return all.of(source);
}

/** Pools of a source that are in quarantine. */
export function quarantinedOf(source: SourceId, market: Pick<Market, "pools" | "quarantined">): readonly LeftOut[] {
  let pools = 0;
  for (const id of market.quarantined().keys()) if (market.pools.get(id)?.source === source) pools += 1;
  return pools === 0 ? [] : [{ reason: "PUT_ASIDE", pools }];
}
