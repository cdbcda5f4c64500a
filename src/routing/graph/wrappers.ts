import { type Address, NATIVE_TOKEN } from "../../domain/address.ts";
import { curveOf, type Pool } from "../../pools/pool.ts";
import type { PoolGraph } from "../router.ts";

/** Wrappers of the native token, which convert the members of a node into one another, by wrapped token. */
export type Wrappers = ReadonlyMap<Address, Pool>;

/** The wrappers of the native token among a graph's pools that are allowed. */
export function wrappersOf(graph: PoolGraph, allows: (pool: Pool) => boolean): Wrappers {
  const pools = graph.poolsOf(NATIVE_TOKEN).filter((pool) => curveOf(pool).oneToOneGas !== undefined && allows(pool));
  return new Map(pools.map((pool) => [pool.tokens.find((token) => token !== NATIVE_TOKEN) as Address, pool]));
}
