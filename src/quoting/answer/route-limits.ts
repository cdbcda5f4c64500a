import { type Address, isAddressText } from "../../domain/address.ts";
import { frontOf, type PoolId } from "../../domain/route.ts";
import { isMakers, type Pool } from "../../pools/pool.ts";

/** Limits of a request on its routes, besides sources. Lists are sorted, without duplicates; empty: no limit. */
export interface RouteLimits {
  /** Pools that no route uses: ids, or addresses that ids are or begin with. Uniswap V4's ids are hashes: the manager's address names none. */
  readonly excludedPools: readonly PoolId[];
  /** Tokens that no pool of a route holds. */
  readonly excludedTokens: readonly Address[];
  /** The only tokens that routes may lead over. */
  readonly connectorTokens: readonly Address[];
  /** Most pools of one path, and most fills; wrapping the native token not counted. Absent: as many as the service allows. */
  readonly maxHops?: number;
  readonly maxFills?: number;
}

/** Tells whether pools are left out by a request. An order of a maker's is the maker's pair, in either direction. */
export function exclusionOf({ excludedPools, excludedTokens }: RouteLimits): (pool: Pool) => boolean {
  const [pools, tokens] = [new Set(excludedPools), new Set(excludedTokens)];
  const isNamed = (pool: Pool): boolean => {
    if (pools.has(pool.id)) return true;
    const address = frontOf(pool.id);
    if (isAddressText(address)) return pools.has(address);
    return isMakers(pool) && pools.has(otherWayRound(pool.id));
  };
  return (pool) => (pools.size > 0 && isNamed(pool)) || pool.tokens.some((token) => tokens.has(token));
}

/** The id of a maker's pair the other way round. */
function otherWayRound(id: PoolId): PoolId {
  const [kind, source, first, second] = id.split(":");
  return [kind, source, second, first].join(":");
}

/** A text that two limits share only when they allow the same. */
export function limitsKey(limits: RouteLimits | undefined): string {
  if (limits === undefined) return "";
  const { excludedPools, excludedTokens, connectorTokens, maxHops = "", maxFills = "" } = limits;
  return [excludedPools, excludedTokens, connectorTokens, maxHops, maxFills].join("/");
}
