import type { AuditEngine } from "../../compose/audit.ts";
import type { PoolId } from "../../domain/route.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import type { Pool } from "../../pools/pool.ts";

/** A pool whose state in memory is not what the chain says at that block. */
export interface WrongState {
  readonly block: { readonly number: bigint; readonly hash: string };
  readonly pool: PoolId;
  /** As it was followed. */
  readonly state: Pool | undefined;
}

/** Pools that no block changes are compared too, all of them once in so many blocks. */
const ALL_EVERY = 50n;

/**
 * Compares pools of a source as they were followed with what the chain says at the block, bit for bit: those that the block
 * changed, and now and then all. Those that differ are read anew.
 */
export async function comparePools(
  { chain }: AuditEngine,
  source: string,
  before: Snapshot,
  now: Snapshot,
): Promise<{ readonly compared: number; readonly wrong: readonly WrongState[] }> {
  const pools = now.graph.all().filter((pool) => pool.source === source);
  const isWhole = now.block.number % ALL_EVERY === 0n;
  const ids = pools.filter((pool) => isWhole || before.graph.pool(pool.id) !== pool).map(({ id }) => id);
  const { number, hash } = now.block;
  const wrong = await chain.recheck(ids, now);
  return {
    compared: ids.length,
    wrong: wrong.map((pool) => ({ block: { number, hash }, pool, state: now.graph.pool(pool) })),
  };
}
