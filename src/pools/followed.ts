import type { PoolId } from "../domain/route.ts";
import type { Pool } from "./pool.ts";
import type { Rejection } from "./pool-math.ts";
import { NO_LIQUIDITY } from "./rejections.ts";
import { virtualPriceOf } from "./stableswap/share.ts";

/**
 * The state in which a pool is traded after others in one transaction, `traded` with the states that they were left in. A
 * metapool that asks its base pool for the price of a share gets the one that the trades before it have made; where that
 * cannot be told the metapool is out of use.
 */
export function stateAfter(pool: Pool, traded: ReadonlyMap<PoolId, Pool>, time: bigint): Pool["state"] | Rejection {
  const { curve, state } = traded.get(pool.id) ?? pool;
  const base = curve === "stableswap" && state.basePool !== undefined ? traded.get(state.basePool) : undefined;
  if (curve !== "stableswap" || base === undefined) return state;
  const price = base.curve === "stableswap" ? virtualPriceOf(base.state, time) : undefined;
  return price === undefined ? NO_LIQUIDITY : { ...state, rates: state.rates.with(-1, price) };
}
