import type { PoolId } from "../../domain/route.ts";
import { agesBetween } from "../../pools/moves-with-time.ts";
import type { Pool } from "../../pools/pool.ts";
import type { PoolGraph } from "../router.ts";

/** A graph that the next ones are compared with. */
export interface Followed {
  readonly time: bigint;
  readonly chunks: ReturnType<PoolGraph["chunks"]>;
  /** Its pools whose curves may change by time alone. */
  readonly aging: Iterable<Pool>;
}

/** Before the first graph. */
export const NOTHING_FOLLOWED: Followed = { time: 0n, chunks: [], aging: [] };

const NO_POOLS: readonly (Pool | undefined)[] = [];

/** The pools of a graph that are new, or in another state than in the one before, by id; undefined for those that are gone. */
export function changesBetween(
  { time, chunks, aging }: Followed,
  next: PoolGraph,
): ReadonlyMap<PoolId, Pool | undefined> {
  const changes = new Map<PoolId, Pool | undefined>();
  const come: Pool[] = [];
  const now = next.chunks();
  for (let c = 0; c < Math.max(now.length, chunks.length); c++) {
    const before = chunks[c] ?? NO_POOLS;
    const after = now[c] ?? NO_POOLS;
    if (before === after) continue;
    for (let i = 0; i < Math.max(before.length, after.length); i++) {
      const was = before[i];
      const is = after[i];
      if (was === is) continue;
      if (was !== undefined && was.id !== is?.id) changes.set(was.id, undefined);
      if (is !== undefined) come.push(is);
    }
  }
  // A pool may have come to another place.
  for (const pool of come) changes.set(pool.id, pool);
  if (time !== next.time)
    for (const pool of aging)
      if (!changes.has(pool.id) && agesBetween(pool, time, next.time)) changes.set(pool.id, pool);
  return changes;
}
