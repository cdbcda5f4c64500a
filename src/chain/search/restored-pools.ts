import type { PoolId } from "../../domain/route.ts";
import type { LiquiditySource } from "../../market/liquidity-source.ts";
import type { KeptState } from "../../snapshot/kept-state.ts";
import type { ChainRecord } from "../chains/chain-record.ts";
import type { LaterStates } from "../pools/awaited-states.ts";
import type { Found } from "../pools/found-pools.ts";
import type { PoolState } from "../pools/read-pools.ts";
import type { RefusedCount } from "../pools/unserved-pools.ts";
import type { Header } from "../rpc/codec.ts";
import type { SearchRange } from "./background-search.ts";
import { firstBlock } from "./discovery.ts";

/** State kept by an earlier run, resolved against the sources of this one. */
export interface RestoredPools {
  /** The block that it is of. */
  readonly base: Header;
  readonly found: readonly Found[];
  /** The states at `base` of those that have one. */
  readonly states: ReadonlyMap<PoolId, PoolState>;
  /** Those that others have at a later block, which may be gone. */
  readonly later: LaterStates | undefined;
  readonly asleep: ReadonlySet<PoolId>;
  /** Pools that were announced and are not served. */
  readonly refused: readonly RefusedCount[];
  /** Blocks up to `base` whose announcements are not among them yet. */
  readonly searches: readonly SearchRange[];
}

/** Range to search for pools of some sources up to a block; none if no source announces pools. */
export function searchOf(
  sources: readonly LiquiditySource[],
  to: bigint,
  record: ChainRecord,
): readonly [] | readonly [SearchRange] {
  const announcing = sources.filter(({ creation }) => creation !== undefined);
  const next = firstBlock(announcing, record);
  if (announcing.length === 0 || next > to) return [];
  return [{ sources: announcing.map(({ id }) => id), next, to }];
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
  const atTip = new Map<PoolId, PoolState>();
  const asleep = new Set<PoolId>();
  for (const { source: id, ref, pool, asleep: sleeps, atTip: later } of saved.pools) {
    const source = byId.get(id);
    if (source === undefined) continue;
    found.push({ ref, source });
    if (pool !== undefined) states.set(ref.id, pool);
    if (later !== undefined) atTip.set(ref.id, later);
    if (sleeps) asleep.add(ref.id);
  }
  const added = sources.filter((source) => !saved.sources.includes(source.id));
  // Counts of a source whose announcements are searched from their beginning would be added to those of then.
  const refused = (saved.refused ?? []).filter(({ source }) => byId.has(source) && saved.sources.includes(source));
  for (const source of added) for (const ref of source.fixed?.() ?? []) found.push({ ref, source });
  const searches = (saved.searches ?? []).filter((search) => search.sources.some((id) => byId.has(id)));
  const later = saved.tip && { at: saved.tip, states: atTip };
  const left = [...searchOf(added, base.number, record), ...searches];
  return { base, found, states, later, asleep, refused, searches: left };
}
