import { type Address, NATIVE_TOKEN } from "../../domain/address.ts";
import { SHARE_ONE } from "../../domain/route.ts";
import type { Pool } from "../../pools/pool.ts";
import { type Direction, type PoolCurve, takesAll } from "../../pools/pool-math.ts";
import type { Edge } from "../edges/edges.ts";
import type { Wrappers } from "../graph/naming.ts";

export function sellTokenOf({ pool, direction }: Pick<Edge, "pool" | "direction">): Address {
  return pool.tokens[direction.sell] as Address;
}

export function buyTokenOf({ pool, direction }: Pick<Edge, "pool" | "direction">): Address {
  return pool.tokens[direction.buy] as Address;
}

/** The direction in which a pool takes `sellToken` and gives `buyToken`. */
export function directionOf(pool: Pool, sellToken: Address, buyToken: Address): Direction {
  return { sell: pool.tokens.indexOf(sellToken), buy: pool.tokens.indexOf(buyToken) };
}

/** The steps from one form of the native token to another: none, one wrapper, or two by way of the native token. */
export function wrapSteps(wrappers: Wrappers, from: Address, to: Address): { pool: Pool; direction: Direction }[] {
  if (from === to) return [];
  if (from !== NATIVE_TOKEN && to !== NATIVE_TOKEN)
    return [...wrapSteps(wrappers, from, NATIVE_TOKEN), ...wrapSteps(wrappers, NATIVE_TOKEN, to)];
  const pool = wrappers.get(from === NATIVE_TOKEN ? to : from) as Pool;
  return [{ pool, direction: directionOf(pool, from, to) }];
}

/** Part of a token's flow from which on one pool can take, or give, what others leave. */
export const LARGE = 0.01;
/** Part of a node's flow below which no wrapping is planned. */
export const NOTHING = 1e-9;

/** Units up to which a share, which is one of 10^9 parts, tells each of them apart. */
const COUNTED = 1e6;

/**
 * `part` of what is left as a share, the part being at most all that is left. At least one part in 10^9 and never the
 * whole: the last one in line takes the rest. Where a flow that found no room has nothing left, the least. Rounded, but not
 * to more than a `curve` takes; whole units of few are not rounded to one less.
 */
export function shareOf(part: number, left: number, curve?: PoolCurve): bigint {
  if (!(left > 0)) return 1n;
  const exact = (part / left) * Number(SHARE_ONE);
  const rounded = Number.isInteger(part) && left < COUNTED ? Math.ceil(exact) : Math.round(exact);
  const isTooMuch = curve !== undefined && rounded > exact && !takesAll(curve, (rounded / Number(SHARE_ONE)) * left);
  const share = BigInt(isTooMuch ? rounded - 1 : rounded);
  if (share < 1n) return 1n;
  return share < SHARE_ONE ? share : SHARE_ONE - 1n;
}
