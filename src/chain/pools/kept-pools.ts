import type { PoolId } from "../../domain/route.ts";
import { movesSilently } from "../../market/liquidity-source.ts";
import type { KnownPool } from "../../market/pool-catalog.ts";
import type { KeptPool } from "../../snapshot/kept-state.ts";
import type { HeldPools } from "./block-changes.ts";
import type { Found } from "./found-pools.ts";
import type { PoolState } from "./read-pools.ts";
import type { BlockUndo } from "./undo-history.ts";

/**
 * All pools that are not in the catalog as they were before the blocks `since`, the newest first. A pool has no state where it
 * is in doubt, and where it moves without a log. One whose state then is not known, or was `readSince`, has that of the tip.
 */
export function keptPools(
  { tracked, sleeping, store }: HeldPools,
  since: readonly BlockUndo[],
  { isDoubted, readSince }: Readonly<Record<"isDoubted" | "readSince", (id: PoolId) => boolean>>,
): readonly KeptPool[] {
  const before = new Map<PoolId, PoolState | undefined>();
  const added = new Set<PoolId>();
  for (const block of since) {
    for (const [id, pool] of block.before) before.set(id, pool);
    for (const id of block.unread) before.set(id, undefined);
    for (const id of block.added) added.add(id);
  }
  const awake = [...tracked.all()].flatMap(({ ref, source }): readonly KeptPool[] => {
    if (added.has(ref.id)) return [];
    const known = (pool: PoolState | undefined) => {
      return pool !== undefined && !movesSilently(source, pool) && !isDoubted(ref.id) ? pool : undefined;
    };
    const atTip = known(store.get(ref.id));
    const pool = readSince(ref.id) ? undefined : before.has(ref.id) ? known(before.get(ref.id)) : atTip;
    return [{ source: source.id, ref, pool, ...(pool === undefined && atTip !== undefined && { atTip }) }];
  });
  const asleep = [...sleeping.held()].filter(({ ref }) => !added.has(ref.id));
  return [...awake, ...asleep.map((pool) => ({ ...pool, pool: undefined, asleep: true as const }))];
}

export function knownOf({ ref, source }: Found): KnownPool {
  return { source: source.id, ref };
}

/** A pool that sleeps, where its source is not off. */
export function sleptPool(pools: HeldPools, id: PoolId): Found | undefined {
  const pool = pools.sleeping.get(id);
  return pool && foundOf(pools, pool);
}

/** All pools, those that sleep last. @throws CatalogFault */
export function* knownPools(pools: HeldPools): Generator<Found> {
  yield* pools.tracked.all();
  for (const pool of pools.sleeping.all()) {
    const found = foundOf(pools, pool);
    if (found !== undefined) yield found;
  }
}

function foundOf({ sources }: HeldPools, { source: id, ref }: KnownPool): Found | undefined {
  const source = sources.find((each) => each.id === id);
  return source && { ref, source };
}
