import type { Pool } from "../../pools/pool.ts";

/** Pools that were read again: the same objects as before where nothing moved. */
export function keepUnchanged(before: readonly Pool[], read: readonly Pool[]): readonly Pool[] {
  const known = new Map(before.map((pool) => [pool.id, pool]));
  return read.map((pool) => {
    const old = known.get(pool.id);
    return old !== undefined && text(old.state) === text(pool.state) ? old : pool;
  });
}

function text(state: Pool["state"]): string {
  return JSON.stringify(state, (_key, value: unknown) => (typeof value === "bigint" ? `${value}` : value));
}
