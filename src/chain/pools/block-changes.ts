import type { PoolId } from "../../domain/route.ts";
import type { ChainReader, Log } from "../../market/chain-reader.ts";
import type { UnservedReason } from "../../market/eligibility.ts";
import { type LiquiditySource, movesSilently, type PoolRef } from "../../market/liquidity-source.ts";
import type { PoolStore } from "../../market/pool-store.ts";
import { type Clock, slicing } from "../rpc/clock.ts";
import type { Header } from "../rpc/codec.ts";
import type { PassedBlock } from "./concurrent-reads.ts";
import { announced, type Found, type Refused, refused } from "./found-pools.ts";
import { type PoolState, readPools } from "./read-pools.ts";
import type { SleepingPools } from "./sleeping-pools.ts";
import { createTrackedPools, type TrackedPools } from "./tracked-pools.ts";

/** The pools at the tip: which there are, which of them sleep, and their states. */
export interface HeldPools {
  readonly tracked: TrackedPools;
  readonly sleeping: SleepingPools;
  readonly store: PoolStore;
  readonly sources: readonly LiquiditySource[];
  readonly clock: Clock;
  /** Why pools could not be read when they were last. */
  readonly told: Map<PoolId, UnservedReason>;
}

/** Changes that one block makes to the pools. */
interface BlockChanges {
  /** New states, in the order of the last change. */
  readonly states: Map<PoolId, PoolState | undefined>;
  /** Pools that are to be read at the block. */
  readonly unread: ReadonlyMap<PoolId, Found>;
  /** Pools that the block announces. */
  readonly created: readonly Found[];
  /** Pools that the block announces and that are not served. */
  readonly refused: readonly Refused[];
}

/** Works out what a block's logs do to the pools, without doing it. At most `mostNew` of the new pools are to be read. */
export async function changesByLogs(
  { tracked, sleeping, store, sources, clock }: HeldPools,
  logs: readonly Log[],
  { time, mostNew }: { readonly time: bigint; readonly mostNew: number },
): Promise<BlockChanges> {
  const states = new Map<PoolId, PoolState | undefined>();
  const unread = new Map<PoolId, Found>();
  const created: Found[] = [];
  const notServed: Refused[] = [];
  const pause = slicing(clock);
  for (const log of logs) {
    for (const pool of announced(log, sources)) {
      if (tracked.has(pool.ref.id) || unread.has(pool.ref.id) || sleeping.has(pool.ref.id)) continue;
      if (created.length < mostNew) unread.set(pool.ref.id, pool);
      created.push(pool);
    }
    notServed.push(...refused(log, sources));
    for (const pool of tracked.changedBy(log)) {
      const { id } = pool.ref;
      if (unread.has(id)) continue;
      const state = states.get(id) ?? store.get(id);
      const next = state === undefined ? "resync" : applied(pool.source, state, log, time);
      if (next === "resync") unread.set(id, pool);
      else {
        states.delete(id);
        states.set(id, next);
      }
    }
    const turn = pause();
    if (turn !== undefined) await turn;
  }
  return { states, unread, created, refused: notServed };
}

/**
 * Reads what of a source's pools has moved without a log, for all but those that were just read. One that the record lists,
 * or that had a state before, and cannot be read is tried again with every block: no log would tell that it can be.
 */
export async function movedWithoutLog(
  { tracked, store, told }: HeldPools,
  source: LiquiditySource,
  {
    reader,
    tip,
    readAtTip,
  }: { readonly reader: ChainReader; readonly tip: Header; readonly readAtTip: ReadonlySet<PoolId> },
): Promise<readonly (readonly [PoolId, PoolState | undefined])[]> {
  if (source.refresh === undefined) return [];
  const pools: PoolState[] = [];
  const lost: PoolRef[] = [];
  const fixed = new Set(source.fixed?.().map(({ id }) => id));
  const isFixed = (id: PoolId) => source.creation === undefined && (source.listed === undefined || fixed.has(id));
  for (const id of tracked.of(source)) {
    if (readAtTip.has(id)) continue;
    const pool = store.get(id);
    if (pool !== undefined) pools.push(pool);
    else if (isFixed(id) || store.had(id)) lost.push(tracked.get(id)!.ref);
  }
  const [kept, found] = await Promise.all([
    pools.length === 0 ? [] : source.refresh(reader, pools, tip),
    readPools({ reader, told }, source, lost, tip),
  ]);
  const fresh = new Map(kept.map((pool) => [pool.id, pool]));
  const changed = pools.filter((pool) => fresh.get(pool.id) !== pool);
  return [...changed.map(({ id }) => [id, fresh.get(id)] as const), ...found];
}

/**
 * Pools as the blocks since have left them, of those that could be read at all, and those whose state is unknown: logs do not
 * tell it, or it has moved without one. All blocks are there, the oldest first.
 */
export function caughtUp(
  found: readonly Found[],
  read: ReadonlyMap<PoolId, PoolState | undefined>,
  since: readonly PassedBlock[],
): { readonly states: readonly (readonly [PoolId, PoolState])[]; readonly unknown: readonly PoolId[] } {
  const states = new Map<PoolId, PoolState | "resync" | undefined>(read);
  const fresh = createTrackedPools();
  for (const pool of found) fresh.add(pool);
  for (const { header, logs } of since) {
    for (const log of logs) {
      for (const { ref, source } of fresh.changedBy(log)) {
        const state = states.get(ref.id);
        if (state !== "resync")
          states.set(ref.id, state === undefined ? "resync" : applied(source, state, log, header.timestamp));
      }
    }
  }
  const known = found.flatMap(({ ref: { id } }) => {
    const state = states.get(id);
    return state === undefined || state === "resync" ? [] : [[id, state] as const];
  });
  const isUnknown = ({ ref: { id }, source }: Found) => {
    const state = states.get(id);
    return state === "resync" || (state !== undefined && movesSilently(source, state));
  };
  return { states: known, unknown: found.filter(isUnknown).map(({ ref }) => ref.id) };
}

/** A source that throws where it should have answered has met something that it does not understand: read anew. */
function applied(source: LiquiditySource, pool: PoolState, log: Log, time: bigint): PoolState | "resync" {
  try {
    return source.apply(pool, log, time);
  } catch {
    return "resync";
  }
}
