import type { PoolId } from "../../domain/route.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { KeptState } from "../../snapshot/kept-state.ts";
import type { ChainRecord } from "../chains/chain-record.ts";
import type { Header } from "../rpc/codec.ts";
import type { SearchRange } from "./background-search.ts";
import { firstBlock } from "./discovery.ts";
import type { Found } from "./found-pools.ts";
import type { PoolState } from "./read-pools.ts";
import type { RefusedCount } from "./unserved-pools.ts";

/** What an earlier run kept, made out with the sources of this one. */
export interface RestoredPools {
  /** The block that it is of. */
  readonly base: Header;
  readonly found: readonly Found[];
  /** The states at `base` of those that have one. */
  readonly states: ReadonlyMap<PoolId, PoolState>;
  readonly asleep: ReadonlySet<PoolId>;
  /** Pools that were announced and are not served. */
  readonly refused: readonly RefusedCount[];
  /** Blocks up to `base` whose announcements are not among them yet. */
  readonly search: SearchRange | undefined;
}

/**
 * Pools of sources that there are not any more are left out, and those that there were not then are still to be searched.
 * `base` is the block of the state.
 */
export function restoredPools(
  saved: KeptState,
  sources: readonly LiquiditySource[],
  base: Header,
  record: ChainRecord,
): RestoredPools {
  const byId = new Map(sources.map((source) => [source.id, source]));
  const found: Found[] = [];
  const states = new Map<PoolId, PoolState>();
  const asleep = new Set<PoolId>();
  for (const { source: id, ref, pool, asleep: sleeps } of saved.pools) {
    const source = byId.get(id);
    if (source === undefined) continue;
    found.push({ ref, source });
    if (pool !== undefined) states.set(ref.id, pool);
    if (sleeps) asleep.add(ref.id);
  }
  const added = sources.filter((source) => !saved.sources.includes(source.id));
  const refused = (saved.refused ?? []).filter(({ source }) => byId.has(source));
  if (added.length === 0) return { base, found, states, asleep, refused, search: saved.search };
  for (const source of added) for (const ref of source.fixed?.() ?? []) found.push({ ref, source });
  const announcing = added.filter(({ creation }) => creation !== undefined);
  const next = announcing.length === 0 ? base.number + 1n : firstBlock(announcing, record);
  if (next >= (saved.search?.next ?? base.number + 1n))
    return { base, found, states, asleep, refused, search: saved.search };
  // What is searched once more is counted once more.
  return { base, found, states, asleep, refused: [], search: { next, to: base.number } };
}
