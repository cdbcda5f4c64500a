import { agesBetween } from "../../pools/moves-with-time.ts";
import type { Pool } from "../../pools/pool.ts";
import type { PoolGraph } from "../router.ts";
import type { Naming } from "./naming.ts";

/** Graph state that later graphs are compared with. */
export interface Followed {
  readonly graph: PoolGraph;
  readonly chunks: ReturnType<PoolGraph["chunks"]>;
  /** The numbers of the pools in `chunks`, where they were looked up: place by place, each one more; 0 for the others. */
  readonly numbers: Int32Array[];
  /** The pools by number. */
  readonly pools: readonly (Pool | undefined)[];
  /** Numbers of pools whose curves may change by time alone. */
  readonly aging: ReadonlySet<number>;
}

/** Differences between a graph's pools and those before. */
export interface GraphDiff {
  /** Pools in another state, or gone, by number. */
  readonly pools: ReadonlyMap<number, Pool | undefined>;
  /** Whether all that changed are states. */
  readonly inPlace: boolean;
}

const NO_POOLS: readonly (Pool | undefined)[] = [];

export function graphDiff(followed: Followed, next: PoolGraph, naming: Naming): GraphDiff {
  const { graph, chunks, numbers, pools, aging } = followed;
  const found = new Map<number, Pool | undefined>();
  const added: Pool[] = [];
  const now = next.chunks();
  for (let c = 0; c < Math.max(now.length, chunks.length); c++) {
    const before = chunks[c] ?? NO_POOLS;
    const after = now[c] ?? NO_POOLS;
    if (before === after) continue;
    const length = Math.max(before.length, after.length);
    if ((numbers[c]?.length ?? 0) < length) numbers[c] = new Int32Array(length);
    const known = numbers[c] as Int32Array;
    for (let i = 0; i < length; i++) {
      const was = before[i];
      const is = after[i];
      if (was === is) continue;
      if (was !== undefined && was.id === is?.id) {
        if (known[i] === 0) known[i] = naming.numberOf(is.id) + 1;
        found.set((known[i] as number) - 1, is);
        continue;
      }
      // The result may never be followed: the number of the earlier pool would be wrong then.
      known[i] = was === undefined && is !== undefined ? naming.numberOf(is.id) + 1 : 0;
      if (was !== undefined) found.set(naming.numberOf(was.id), undefined);
      if (is !== undefined) added.push(is);
    }
  }
  for (const pool of added) found.set(naming.numberOf(pool.id), pool);
  if (graph.time !== next.time)
    for (const number of aging)
      if (!found.has(number) && agesBetween(pools[number] as Pool, graph.time, next.time))
        found.set(number, pools[number]);
  let inPlace = true;
  for (const [number, pool] of found) inPlace &&= holdSame(pools[number], pool);
  return { pools: found, inPlace };
}

/** Whether both are pools, or both none, and of the same tokens. */
function holdSame(one: Pool | undefined, other: Pool | undefined): boolean {
  if (one === other) return true;
  if (one === undefined || other === undefined) return false;
  return one.tokens === other.tokens || one.tokens.join() === other.tokens.join();
}
