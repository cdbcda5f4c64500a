import type { PoolId } from "../../domain/route.ts";
import type { KnownPool } from "../../market/pool-catalog.ts";
import type { HeldPools } from "./block-changes.ts";
import type { Found } from "./found-pools.ts";

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
