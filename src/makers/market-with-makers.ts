import type { SourceId } from "../domain/source.ts";
import { withLevels } from "../market/indicative.ts";
import type { Snapshot, SourceState } from "../market/snapshot.ts";
import type { Pool } from "../pools/pool.ts";
import type { MarketView } from "../quoting/ports.ts";
import type { Makers } from "./makers.ts";

/**
 * Shortest time that levels stay in a block's snapshot, ms: constant updates must not make every price a new search.
 */
const LOOK_EVERY_MS = 100;

/** The market with makers' levels in its snapshots: the same snapshot object as long as block and levels are the same. */
export function marketWithMakers<M extends MarketView>(
  market: M,
  makers: Pick<Makers, "levels" | "states">,
  /** Milliseconds, of a clock that never goes back. */
  elapsed: () => number,
): M {
  let last: { readonly base: Snapshot; readonly levels: readonly Pool[]; readonly snapshot: Snapshot } | undefined;
  let lookedAt = 0;

  function withMakers(sources: ReadonlyMap<SourceId, SourceState>): ReadonlyMap<SourceId, SourceState> {
    const [any] = sources.values();
    const blockNumber = any?.blockNumber ?? 0n;
    return new Map([
      ...sources,
      ...[...makers.states()].map(([id, state]): [SourceId, SourceState] => [id, { ...state, asleep: 0, blockNumber }]),
    ]);
  }

  return {
    ...market,
    current() {
      const now = market.current();
      if ("unavailable" in now) return now;
      const base = now.snapshot;
      if (last?.base === base && elapsed() - lookedAt < LOOK_EVERY_MS) return { snapshot: last.snapshot };
      lookedAt = elapsed();
      const levels = makers.levels();
      if (last?.base !== base || last.levels !== levels) {
        const snapshot = withLevels({ ...base, sources: withMakers(base.sources) }, levels);
        last = { base, levels, snapshot };
      }
      return { snapshot: last.snapshot };
    },
    sources: () => withMakers(market.sources()),
  };
}
