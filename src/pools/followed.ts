import type { PoolId } from "../domain/route.ts";
import { curveOf, type Pool } from "./pool.ts";
import type { Rejection } from "./pool-math.ts";
import { NO_LIQUIDITY, UNSUPPORTED } from "./rejections.ts";

/**
 * The state in which a pool is traded after others in one transaction, `traded` with the states that they were left in. A
 * metapool that asks its base pool for the price of a share gets the one that the trades before it have made; where that
 * cannot be told the metapool is out of use. So is a pool that is used once only.
 */
export function stateAfter(pool: Pool, traded: ReadonlyMap<PoolId, Pool>, time: bigint): Pool["state"] | Rejection {
  const left = traded.get(pool.id) ?? pool;
  const { state } = left;
  const { basePool, atBasePrice, usedOnce } = curveOf(left);
  if (left !== pool && usedOnce?.(state) === true) return UNSUPPORTED;
  const baseId = basePool?.(state);
  const base = baseId === undefined ? undefined : traded.get(baseId);
  if (base === undefined || atBasePrice === undefined) return state;
  const price = curveOf(base).sharePrice?.(base.state, time);
  return price === undefined ? NO_LIQUIDITY : atBasePrice(state, price);
}
