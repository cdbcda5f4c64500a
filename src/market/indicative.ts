import type { PoolId } from "../domain/route.ts";
import type { Pool } from "../pools/pool.ts";
import type { MarketGraph } from "./pool-store.ts";
import type { Snapshot } from "./snapshot.ts";
import { withReplaced } from "./taxed-pools.ts";

/** A snapshot with what makers say they would trade among its pools: used for prices, and to choose whom to ask. */
export function withLevels(snapshot: Snapshot, levels: readonly Pool[]): Snapshot {
  return withOffers(snapshot, levels);
}

/** Snapshot with makers' firm orders in place of their levels, for quotes. */
export function withOrders({ offers, ...snapshot }: Snapshot, orders: readonly Pool[]): Snapshot {
  return withOffers({ ...snapshot, graph: offers?.graph ?? snapshot.graph }, orders);
}

/** The snapshot with pools in the states that logs to come leave them in, and without makers, who know nothing of these. */
export function onTop(
  snapshot: Snapshot,
  overrides: NonNullable<Snapshot["overrides"]>,
  pools: readonly Pool[],
): Snapshot {
  return { ...withOrders(snapshot, pools), overrides };
}

function withOffers(snapshot: Snapshot, pools: readonly Pool[]): Snapshot {
  if (pools.length === 0) return snapshot;
  const { graph } = snapshot;
  return { ...snapshot, graph: withPools(graph, pools), offers: { pools, graph } };
}

/** A graph with pools laid over it: those with ids of its own take their places, the others stand behind all. */
export function withPools(graph: MarketGraph, pools: readonly Pool[]): MarketGraph {
  const isOwn = ({ id }: Pool) => graph.pool(id) !== undefined;
  const own = new Map(pools.filter(isOwn).map((pool) => [pool.id, pool]));
  return withMore(
    withReplaced(graph, own),
    pools.filter(({ id }) => !own.has(id)),
  );
}

function withMore(graph: MarketGraph, more: readonly Pool[]): MarketGraph {
  if (more.length === 0) return graph;
  const byId = new Map<PoolId, Pool>(more.map((pool) => [pool.id, pool]));
  const added = (fits: (pool: Pool) => boolean, pools: readonly Pool[]) => {
    const fitting = more.filter(fits);
    return fitting.length === 0 ? pools : [...pools, ...fitting];
  };
  const lists = new Map<string, readonly Pool[]>();
  return {
    time: graph.time,
    ...(graph.hops && { hops: graph.hops }),
    pool: (id) => byId.get(id) ?? graph.pool(id),
    poolsOf(token) {
      let list = lists.get(token);
      if (list === undefined) {
        list = added((pool) => pool.tokens.includes(token), graph.poolsOf(token));
        lists.set(token, list);
      }
      return list;
    },
    poolsBetween: (first, second) =>
      added((pool) => pool.tokens.includes(first) && pool.tokens.includes(second), graph.poolsBetween(first, second)),
    chunks: () => [...graph.chunks(), more],
    hubs: graph.hubs,
    all: () => [...graph.all(), ...more],
  };
}
