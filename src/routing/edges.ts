import { type Address, NATIVE_TOKEN } from "../domain/address.ts";
import { type CurveKind, mathOf, type Pool } from "../pools/pool.ts";
import type { Direction, PoolCurve } from "../pools/pool-math.ts";
import type { PoolGraph } from "./router.ts";

/** One direction of one pool, as the search sees it. */
export interface Edge {
  readonly pool: Pool;
  readonly direction: Direction;
  readonly from: number;
  readonly to: number;
  readonly curve: PoolCurve;
  /** Bought per sold unit at the margin before any trade. */
  readonly spot: number;
}

/**
 * The pools of one graph as edges between nodes. A node is a token, except that the native token and what wraps it one
 * to one are the same node: wrapping costs no hop and no price.
 */
export interface EdgeGraph {
  /** Number of nodes known so far; it grows while the graph is walked. */
  readonly size: number;
  nodeOf(token: Address): number;
  /** The edges that leave a node, in the graph's own order. */
  edgesFrom(node: number): readonly Edge[];
}

/** Keeps edges of pools that did not change from graph to graph. */
export interface EdgeStore {
  /** `wrappers`: the pools at which a token counts as the same as the native one. */
  graph(graph: PoolGraph, wrappers: readonly Pool[]): EdgeGraph;
}

/** Curves that are the same at any time: their edges live as long as the pool object. */
const TIMELESS: ReadonlySet<CurveKind> = new Set<CurveKind>(["constant-product", "concentrated", "fixed-rate"]);

/** Sets of wrappers seen side by side before the store starts afresh. */
const MOST_NAMINGS = 8;

/** Names tokens by small numbers; tokens that wrap the native one share its number. */
interface Naming {
  readonly nodes: Map<Address, number>;
  readonly members: Address[][];
  readonly edges: WeakMap<Pool, readonly Edge[]>;
  readonly lists: WeakMap<readonly Pool[], readonly Edge[]>;
  readonly graphs: WeakMap<PoolGraph, EdgeGraph>;
}

export function createEdgeStore(): EdgeStore {
  const namings = new Map<string, Naming>();
  return {
    graph(graph, wrappers) {
      const same = [...new Set([NATIVE_TOKEN, ...wrappers.flatMap((pool) => pool.tokens)])];
      const key = same.join();
      let naming = namings.get(key);
      if (naming === undefined) {
        if (namings.size >= MOST_NAMINGS) namings.clear();
        naming = createNaming(same);
        namings.set(key, naming);
      }
      let edges = naming.graphs.get(graph);
      if (edges === undefined) {
        edges = createEdgeGraph(graph, naming);
        naming.graphs.set(graph, edges);
      }
      return edges;
    },
  };
}

/** The wrappers of the native token among a graph's pools. */
export function wrappersOf(graph: PoolGraph): readonly Pool[] {
  return graph.poolsOf(NATIVE_TOKEN).filter((pool) => pool.curve === "fixed-rate");
}

function createNaming(same: readonly Address[]): Naming {
  return {
    nodes: new Map(same.map((token) => [token, 0])),
    members: [[...same]],
    edges: new WeakMap(),
    lists: new WeakMap(),
    graphs: new WeakMap(),
  };
}

function createEdgeGraph(graph: PoolGraph, naming: Naming): EdgeGraph {
  const lists: (readonly Edge[] | undefined)[] = [];

  const nodeOf = (token: Address): number => {
    let node = naming.nodes.get(token);
    if (node === undefined) {
      node = naming.members.length;
      naming.nodes.set(token, node);
      naming.members.push([token]);
    }
    return node;
  };

  const edgesOf = (pool: Pool): readonly Edge[] => {
    const timeless = TIMELESS.has(pool.curve);
    const known = timeless ? naming.edges.get(pool) : undefined;
    if (known !== undefined) return known;
    const edges = makeEdges(pool, graph.time, nodeOf);
    if (timeless) naming.edges.set(pool, edges);
    return edges;
  };

  const listOf = (token: Address): readonly Edge[] => {
    const pools = graph.poolsOf(token);
    const known = naming.lists.get(pools);
    if (known !== undefined) return known;
    const edges: Edge[] = [];
    for (const pool of pools) {
      const sell = pool.tokens.indexOf(token);
      for (const edge of edgesOf(pool)) if (edge.direction.sell === sell) edges.push(edge);
    }
    if (pools.every((pool) => TIMELESS.has(pool.curve))) naming.lists.set(pools, edges);
    return edges;
  };

  return {
    get size() {
      return naming.members.length;
    },
    nodeOf,
    edgesFrom(node) {
      let edges = lists[node];
      if (edges === undefined) {
        const tokens = naming.members[node] as Address[];
        edges = tokens.length === 1 ? listOf(tokens[0] as Address) : tokens.flatMap(listOf);
        lists[node] = edges;
      }
      return edges;
    },
  };
}

/** All directions of a pool that sell anything; none between tokens that are the same node. */
function makeEdges(pool: Pool, time: bigint, nodeOf: (token: Address) => number): readonly Edge[] {
  const edges: Edge[] = [];
  pool.tokens.forEach((sellToken, sell) => {
    pool.tokens.forEach((buyToken, buy) => {
      const from = nodeOf(sellToken);
      const to = nodeOf(buyToken);
      if (from === to) return;
      const curve = mathOf(pool).curve(pool.state, { sell, buy }, time);
      if (curve === undefined) return;
      const spot = curve.marginalRate(0);
      if (spot > 0 && Number.isFinite(spot)) edges.push({ pool, direction: { sell, buy }, from, to, curve, spot });
    });
  });
  return edges;
}
