import type { Address } from "../../domain/address.ts";
import type { PoolId } from "../../domain/route.ts";
import { ALL_ON } from "../../domain/switches.ts";
import type { KnownRoutes } from "../known-routes.ts";
import { CHUNK } from "../pool-slots.ts";
import type { MarketGraph } from "../pool-store.ts";
import type { PoolVolatility, Volatility } from "../volatility.ts";
import type {
  FeedHead,
  FeedState,
  FeedTerms,
  FeedUpdate,
  HopChanges,
  KeptOutChanges,
  PoolChange,
  RouteChanges,
  VolatilityChanges,
} from "./feed-state.ts";

/**
 * Update from one state to another; a whole state without an earlier one. Costs the changes, plus one look at each
 * chunk.
 */
export function differenceOf(before: FeedState | undefined, after: FeedState, terms: FeedTerms): FeedUpdate {
  const { market, sequence } = after;
  const { block, gasPrice, mostGas, dataFee, graph } = market;
  const hops = hopChanges(before?.market.graph.hops, graph.hops, before === undefined);
  const known = routeChanges(before?.market.known, market.known);
  const volatility = volatilityChanges(before?.market.volatility, market.volatility);
  const keptOut = keptOutChanges(before?.keptOut, after.keptOut);
  const head: FeedHead = {
    ...{ block, gasPrice, mostGas, hubs: graph.hubs() },
    ...(dataFee && { dataFee }),
    ...(hops && { hops }),
    ...(keptOut && { keptOut }),
    ...(known && { known }),
    ...(volatility && { volatility }),
    ...(after.off !== (before?.off ?? ALL_ON) && { off: after.off }),
    ...(before === undefined && { terms }),
  };
  return { sequence, from: before?.sequence ?? 0, pools: poolChanges(before?.market.graph, graph), head };
}

function poolChanges(before: MarketGraph | undefined, after: MarketGraph): readonly PoolChange[] {
  const [old, now] = [before?.chunks() ?? [], after.chunks()];
  const changes: PoolChange[] = [];
  for (let index = 0; index < Math.max(old.length, now.length); index++) {
    if (old[index] === now[index]) continue;
    for (let place = 0; place < CHUNK; place++) {
      const [was, pool] = [old[index]?.[place], now[index]?.[place]];
      if (was !== pool) changes.push({ slot: index * CHUNK + place, before: was, pool });
    }
  }
  return changes;
}

function hopChanges(before: MarketGraph["hops"], after: MarketGraph["hops"], isWhole: boolean): HopChanges | undefined {
  if (before === after && !isWhole) return undefined;
  const [old, now] = [before ?? new Set<Address>(), after ?? new Set<Address>()];
  return {
    any: after === undefined,
    added: [...now].filter((token) => !old.has(token)),
    removed: [...old].filter((token) => !now.has(token)),
  };
}

function keptOutChanges(
  before: FeedState["keptOut"] | undefined,
  after: FeedState["keptOut"],
): KeptOutChanges | undefined {
  if (before === after) return undefined;
  return {
    added: [...after].filter(([token, reason]) => before?.get(token) !== reason),
    removed: [...(before?.keys() ?? [])].filter((token) => !after.has(token)),
  };
}

function routeChanges(before: KnownRoutes | undefined, after: KnownRoutes): RouteChanges | undefined {
  if (before === after) return undefined;
  return {
    changed: [...after].flatMap(([key, pair]) => (before?.get(key) === pair ? [] : [pair])),
    removed: [...(before ?? [])].flatMap(([key, pair]) => (after.has(key) ? [] : [pair])),
  };
}

function volatilityChanges(
  before: Volatility | undefined,
  after: Volatility | undefined,
): VolatilityChanges | undefined {
  if (before === after || after === undefined) return undefined;
  // Records that were begun anew have nothing in common with the earlier ones.
  const old = before?.since === after.since ? before.pools : new Map<PoolId, PoolVolatility>();
  const appeared = before?.since === after.since ? before.appeared : new Map<PoolId, bigint>();
  const gone = [...(before?.pools.keys() ?? [])].filter((pool) => !after.pools.has(pool) || !old.has(pool));
  return {
    since: after.since,
    changed: [...after.pools.values()].filter((known) => old.get(known.pool) !== known),
    removed: gone,
    appeared: [...after.appeared].filter(([pool, block]) => appeared.get(pool) !== block),
    settled: [...(before?.appeared.keys() ?? [])].filter((pool) => !after.appeared.has(pool) || !appeared.has(pool)),
  };
}
