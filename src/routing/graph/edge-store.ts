import { type Address, NATIVE_TOKEN } from "../../domain/address.ts";
import type { PoolId } from "../../domain/route.ts";
import { ages } from "../../pools/moves-with-time.ts";
import type { Pool } from "../../pools/pool.ts";
import { outlinedEdge } from "../edges/edges.ts";
import { type FlatGraph, outlineAt } from "../edges/flat-graph.ts";
import type { PoolGraph } from "../router.ts";
import { setSpotPrices } from "../spot/spot-prices.ts";
import { type Followed, type GraphDiff, graphDiff } from "./graph-changes.ts";
import { type LaidOut, layOut } from "./lay-out.ts";
import { Naming, type Wrappers } from "./naming.ts";
import { carryOver, endsOf, type PoolSlots, putPool, SlotEdges } from "./pool-slots.ts";

/**
 * The pools of one graph as edges between nodes. A node is a token, except that the native token and what wraps it one
 * to one are the same node, 0: wrapping costs no hop and no price.
 */
export interface EdgeGraph extends FlatGraph {
  /** Number of pools ever known. */
  readonly poolCount: number;
  /** The node of a token; undefined for one that no pool holds. */
  nodeOf(token: Address): number | undefined;
  /** Follows the pools between a node and dead ends, or of one: what is in their slots before that may be out of date. */
  ready(node: number): void;
  /** 1 for the nodes that a route may lead over, besides those that it begins and ends at. */
  readonly hops: Uint8Array;
  /** The graph as exact-out trades see it: another one where some of their curves end elsewhere. */
  toBuy(): EdgeGraph;
}

/** Keeps the edges of pools that did not change from graph to graph. */
export interface EdgeStore {
  /** `wrappers`: tokens that count as the same as the native one. Valid until the next call. */
  graph(graph: PoolGraph, wrappers?: Wrappers): EdgeGraph;
}

/** Sets of wrappers seen side by side before the store starts afresh. */
const MAX_NAMINGS = 4;

export function createEdgeStore(): EdgeStore {
  const known = new Map<string, (graph: PoolGraph) => EdgeGraph>();
  return {
    graph(graph, wrappers = new Map()) {
      const same = [NATIVE_TOKEN, ...wrappers.keys()];
      const key = same.join();
      let edges = known.get(key);
      if (edges === undefined) {
        if (known.size >= MAX_NAMINGS) known.clear();
        edges = createEdges(same);
        known.set(key, edges);
      }
      return edges(graph);
    },
  };
}

/** Graphs of other pools that are laid out side by side: those of one block differ by what makers offer. */
const MAX_LAYOUTS = 3;

/** One graph laid out, and what the next one is compared with. */
interface Layout extends Followed, PoolSlots {
  graph: PoolGraph;
  chunks: Followed["chunks"];
  readonly pools: (Pool | undefined)[];
  readonly aging: Set<number>;
  /** Numbers of all pools there are, by id. */
  order: readonly number[];
  first: LaidOut["first"];
  directions: LaidOut["directions"];
  /**
   * 1 for pools of dead ends, by number: no spot price depends on them, nor any route that does not begin or end there.
   */
  isAside: Uint8Array;
  /** 1 for those of them whose edges are out of date. */
  isLate: Uint8Array;
  edges: SlotEdges;
  flat: EdgeGraph;
}

/** Follows graph after graph: what changed is put in its place; new pools and lost ones lay everything out anew. */
function createEdges(same: readonly Address[]): (graph: PoolGraph) => EdgeGraph {
  const naming = new Naming(same);
  /** The one that was used last comes first. */
  const layouts: Layout[] = [];
  const pick = (graph: PoolGraph): { readonly layout: Layout; readonly changes: GraphDiff } => {
    const all = layouts.map((layout) => ({ layout, changes: graphDiff(layout, graph, naming) }));
    const inPlace = all.find(({ changes }) => changes.inPlace);
    if (inPlace !== undefined) return inPlace;
    const first = all[0];
    const oldest = all[all.length - 1];
    if (first === undefined || oldest === undefined) {
      // Nothing else is read before it is laid out.
      const layout = {
        graph,
        chunks: [],
        numbers: [],
        pools: [],
        aging: new Set(),
        order: [],
      } as Partial<Layout> as Layout;
      return { layout, changes: { ...graphDiff(layout, graph, naming), inPlace: false } };
    }
    if (layouts.length === MAX_LAYOUTS || all.every(({ layout }) => layout.graph.time !== graph.time)) return oldest;
    const { layout, changes } = first;
    const copy = { ...layout, pools: [...layout.pools], numbers: [], aging: new Set(layout.aging) };
    return { layout: copy, changes };
  };
  return (graph) => {
    const known = layouts.find((layout) => layout.graph === graph);
    if (known !== undefined) return known.flat;
    const { layout, changes } = pick(graph);
    follow(layout, graph, changes, naming);
    const at = layouts.indexOf(layout);
    if (at >= 0) layouts.splice(at, 1);
    layouts.unshift(layout);
    return layout.flat;
  };
}

/** Brings a layout to the next graph. */
function follow(layout: Layout, graph: PoolGraph, changes: GraphDiff, naming: Naming): void {
  const { pools, aging } = layout;
  for (const [number, pool] of changes.pools) {
    pools[number] = pool;
    if (pool === undefined) aging.delete(number);
    else if (ages(pool)) aging.add(number);
  }
  const { hops } = layout.graph;
  layout.graph = graph;
  if (changes.inPlace) putInPlace(layout, changes);
  else layOutAnew(layout, changes, naming);
  if (!changes.inPlace || hops !== graph.hops) markHops(layout, naming);
  layout.chunks = graph.chunks();
}

/** Marks the nodes that routes may lead over. The native token's is always one. */
function markHops({ flat, graph }: Layout, { nameOf }: Naming): void {
  for (let node = 0; node < flat.size; node++)
    flat.hops[node] = node === 0 || graph.hops === undefined || graph.hops.has(nameOf(node)) ? 1 : 0;
}

/** Puts the pools that changed into the slots that they have. */
function putInPlace(layout: Layout, { pools }: GraphDiff): void {
  const { graph, flat, isAside, isLate } = layout;
  const changed: number[] = [];
  flat.latest = { slots: changed, since: flat.puts };
  for (const number of pools.keys()) {
    flat.puts++;
    if (isAside[number] === 1) isLate[number] = 1;
    else putPool(layout, number, graph.time, changed);
  }
  if (changed.length > 0) setSpotPrices(flat);
}

/** Gives all pools other slots: some are new, or gone. */
function layOutAnew(layout: Layout, changes: GraphDiff, naming: Naming): void {
  const { pools, graph } = layout;
  const before = { ...layout };
  const known = new Set(layout.order);
  const come = [...changes.pools.keys()].filter((number) => pools[number] !== undefined && !known.has(number));
  const id = (number: number) => (pools[number] as Pool).id;
  const stay = layout.order.filter((number) => pools[number] !== undefined);
  layout.order = merged(
    stay,
    come.sort((a, b) => (id(a) < id(b) ? -1 : 1)),
    id,
  );
  naming.meet(layout.order.map((number) => pools[number] as Pool));
  const nodes = layout.order.map((number) => naming.nodesOf(pools[number] as Pool, number));
  const laidOut = layOut(naming.size, nodes, layout.order);
  layout.first = laidOut.first;
  layout.directions = laidOut.directions;
  layout.isLate = new Uint8Array(laidOut.first.length);
  layout.isAside = poolsAside(laidOut.flat, layout.isLate.length);
  layout.edges = new SlotEdges(laidOut.flat.spot.length, (slot) => {
    const ends = endsOf(layout, slot);
    return outlinedEdge(ends, layout.graph.time, outlineAt(layout.flat, slot));
  });
  const ready = (node: number) => catchUp(layout, node);
  layout.flat = seenByBoth(
    {
      ...laidOut.flat,
      ...{ pools, poolCount: naming.poolCount, hops: new Uint8Array(laidOut.flat.size) },
      ...{ nodeOf: naming.nodeOf, ready },
    },
    layout.edges,
  );
  for (const number of layout.order)
    if (known.has(number) && !changes.pools.has(number) && before.isLate[number] !== 1)
      carryOver(before, layout, number);
    else putPool(layout, number, graph.time);
  setSpotPrices(layout.flat);
}

/** A graph that is followed, with its view for exact-out trades: everything but the edges is the same there, and stays so. */
function seenByBoth(flat: Omit<EdgeGraph, "toBuy" | "edgeAt">, edges: SlotEdges): EdgeGraph {
  let view: EdgeGraph | undefined;
  const graph: EdgeGraph = {
    ...flat,
    edgeAt: edges.at,
    toBuy() {
      if (!edges.hasToBuy) return graph;
      // All that changes with the blocks is read from the graph itself.
      view ??= Object.assign(Object.create(graph) as EdgeGraph, {
        edgeAt: (slot: number) => edges.at(slot).toBuy ?? edges.at(slot),
      });
      return view;
    },
  };
  return graph;
}

/** The pools of dead ends, as in Layout. */
function poolsAside({ dead, from, to, pool }: Omit<FlatGraph, "pools" | "edgeAt">, count: number): Uint8Array {
  const isAside = new Uint8Array(count);
  for (let slot = 0; slot < pool.length; slot++)
    if (dead[from[slot] as number] === 1 || dead[to[slot] as number] === 1) isAside[pool[slot] as number] = 1;
  return isAside;
}

/** Puts the late pools of a node into their slots. */
function catchUp(layout: Layout, node: number): void {
  const { start, pool } = layout.flat;
  for (let slot = start[node] as number; slot < (start[node + 1] as number); slot++) {
    const number = pool[slot] as number;
    if (layout.isLate[number] === 0) continue;
    layout.isLate[number] = 0;
    putPool(layout, number, layout.graph.time);
  }
}

/** Two lists of numbers in the order of their ids, as one. */
function merged(first: readonly number[], second: readonly number[], id: (number: number) => PoolId): number[] {
  const all: number[] = [];
  let at = 0;
  for (const number of second) {
    while (at < first.length && id(first[at] as number) < id(number)) all.push(first[at++] as number);
    all.push(number);
  }
  while (at < first.length) all.push(first[at++] as number);
  return all;
}
