import type { BlockRef } from "../../domain/block.ts";
import type { PoolId } from "../../domain/route.ts";
import type { ChainReader } from "../../market/chain-reader.ts";
import type { UnservedReason } from "../../market/eligibility.ts";
import type { LiquiditySource, PoolRef } from "../../market/liquidity-source.ts";
import type { PoolStore } from "../../market/pool-store.ts";
import { inParallel } from "../rpc/in-parallel.ts";
import type { Found } from "./found-pools.ts";

/** A pool as the store holds it. */
export type PoolState = NonNullable<ReturnType<PoolStore["get"]>>;

/** Pools read at once by one `sync` of a source. */
const SYNC_BATCH = 500;
/** Sources that are read at a time: each reads several batches at once itself. */
const PARALLEL_SOURCES = 4;

/** Reader of pools; `told` collects why pools could not be read at the last attempt. */
export interface PoolReader {
  readonly reader: ChainReader;
  readonly told?: Map<PoolId, UnservedReason>;
  /** Whether a pool is to be read whole, by what is near its price. All are by default. */
  readonly isWorthReading?: ((near: PoolState) => boolean) | undefined;
}

/** Reads pools of one source at a block in batches; those that cannot be read are not among the answer, and `told` has why. */
export async function readPools(
  { reader, told = new Map(), isWorthReading }: PoolReader,
  source: LiquiditySource,
  refs: readonly PoolRef[],
  at: BlockRef,
): Promise<ReadonlyMap<PoolId, PoolState>> {
  const reportUnserved = (id: PoolId, reason: UnservedReason) => told.set(id, reason);
  const pools = new Map<PoolId, PoolState>();
  for (let from = 0; from < refs.length; from += SYNC_BATCH) {
    const all = refs.slice(from, from + SYNC_BATCH);
    const batch = isWorthReading === undefined ? all : await worthReading({ reader, isWorthReading }, source, all, at);
    for (const { id } of batch) told.delete(id);
    for (const pool of await source.sync(reader, batch, at, reportUnserved)) pools.set(pool.id, pool);
  }
  return pools;
}

/** Those pools of a source that are worth reading whole: all where it cannot tell more cheaply. */
async function worthReading(
  { reader, isWorthReading }: { readonly reader: ChainReader; readonly isWorthReading: (near: PoolState) => boolean },
  source: LiquiditySource,
  refs: readonly PoolRef[],
  at: BlockRef,
): Promise<readonly PoolRef[]> {
  if (source.near === undefined) return refs;
  const near = new Map((await source.near(reader, refs, at)).map((pool) => [pool.id, pool]));
  return refs.filter(({ id }) => {
    const pool = near.get(id);
    return pool !== undefined && isWorth(pool, isWorthReading);
  });
}

/** Whether a pool is worth reading whole; one that the maths cannot take by halves is: the whole state is checked. */
function isWorth(near: PoolState, isWorthReading: (near: PoolState) => boolean): boolean {
  try {
    return isWorthReading(near);
  } catch {
    return true;
  }
}

/** Reads pools of any sources at a block; undefined for those that cannot be read. */
export async function readFound(
  reader: PoolReader,
  found: readonly Found[],
  at: BlockRef,
): Promise<ReadonlyMap<PoolId, PoolState | undefined>> {
  const states = new Map<PoolId, PoolState | undefined>(found.map(({ ref }) => [ref.id, undefined]));
  const sources = [...new Set(found.map(({ source }) => source))];
  await inParallel(sources, PARALLEL_SOURCES, async (source) => {
    const refs = found.filter((entry) => entry.source === source).map(({ ref }) => ref);
    for (const [id, pool] of await readPools(reader, source, refs, at)) if (states.has(id)) states.set(id, pool);
  });
  return states;
}
