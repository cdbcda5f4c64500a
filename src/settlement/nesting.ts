import type { Fill, PoolId, Route } from "../domain/route.ts";
import type { Pool } from "../pools/pool.ts";

/** What a call passes on of the gas that is left: 63 of 64 parts (EIP-150); to a pool, and from there back to us. */
const PASSED_ON = 63n * 63n;
const OF = 64n * 64n;

/**
 * Gas that a transaction has to have and does not use: calls inside one another hold back a part each of what is left. An
 * exact-out has what comes after a pool that asks for its payment in a callback made there, and what comes after the first
 * use of a lock inside the lock; as many locks as there are sources with one. As if each fill used all of its gas before
 * those after it: never too little (test/settlement/nested.test.ts).
 */
export function heldBack(route: Route, poolOf: (id: PoolId) => Pool | undefined): bigint {
  if (route.kind === "exactIn") return 0n;
  const outer = nestingFills(route.fills, route.sellToken, poolOf);
  let [used, held] = [0n, 0n];
  for (const fill of route.fills.toReversed()) {
    used += fill.gas;
    if (outer.has(fill)) held += ((used + held) * (OF - PASSED_ON)) / PASSED_ON;
  }
  return held;
}

/** The fills in whose calls all those after them are made. */
function nestingFills(
  fills: readonly Fill[],
  sellToken: Fill["sellToken"],
  poolOf: (id: PoolId) => Pool | undefined,
): ReadonlySet<Fill> {
  const open = new Set<string>();
  return new Set(
    fills.filter((fill) => {
      const pool = poolOf(fill.poolId);
      if (pool === undefined) return false;
      if (isCalledBack(pool)) return fill.sellToken !== sellToken;
      const before = open.size;
      return isLocked(pool) && open.add(pool.source).size > before;
    }),
  );
}

/** Whether a pool asks for its payment in a callback: concentrated ones, but those of a singleton. */
function isCalledBack(pool: Pool): boolean {
  return pool.curve === "concentrated" && pool.state.key === undefined;
}

/** Whether a pool is traded under a lock. */
function isLocked({ curve }: Pool): boolean {
  return curve === "concentrated" || curve === "balancer-v3" || curve === "balancer-v3-buffer";
}
