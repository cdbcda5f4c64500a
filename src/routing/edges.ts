import { type Address, NATIVE_TOKEN } from "../domain/address.ts";
import type { PoolId } from "../domain/route.ts";
import { type CurveKind, mathOf, type Pool } from "../pools/pool.ts";
import type { Direction, PoolCurve } from "../pools/pool-math.ts";
import { depthOf } from "./depth.ts";
import type { PoolGraph } from "./router.ts";

/** One direction of one pool, as the search sees it. */
export interface Edge {
  readonly pool: Pool;
  readonly direction: Direction;
  readonly from: number;
  readonly to: number;
  readonly curve: PoolCurve;
  /** Bought per sold unit at the margin before any trade: no trade is better. */
  readonly spot: number;
  /**
   * The depth D of a curve that pays spot * x / (1 + x / D) for x, as far as TRUSTED_DEPTHS * D; NaN for every other
   * curve. Such a curve needs no call: a scan works it out from numbers that lie side by side.
   */
  readonly depth: number;
  /** A number of the pool, the same for all its edges and states. */
  readonly poolNumber: number;
  /** The same two tokens of the same pool the other way round, where that sells anything. */
  readonly twin: Edge | undefined;
}

/** Edges with what a scan looks at first side by side in memory. */
export interface EdgeList {
  readonly edges: readonly Edge[];
  readonly to: Int32Array;
  readonly spot: Float64Array;
  readonly depth: Float64Array;
  readonly pool: Int32Array;
}

/**
 * The pools of one graph as edges between nodes. A node is a token, except that the native token and what wraps it one
 * to one are the same node: wrapping costs no hop and no price.
 */
export interface EdgeGraph {
  /** Number of nodes known so far; it grows while the graph is walked. */
  readonly size: number;
  /** Number of pools known so far. */
  readonly poolCount: number;
  nodeOf(token: Address): number;
  /** Edges that leave a node, in the graph's order, without those to dead ends: no route passes through these. */
  leaving(node: number): EdgeList;
  /** All edges that lead to a node. */
  entering(node: number): readonly Edge[];
  /** Whether a node's pools all lead to one other node: it can begin or end a route, but not lie on it. */
  isDeadEnd(node: number): boolean;
}

/** Keeps edges of pools that did not change from graph to graph. */
export interface EdgeStore {
  /** `wrappers`: the pools at which a token counts as the same as the native one. */
  graph(graph: PoolGraph, wrappers: readonly Pool[]): EdgeGraph;
}

/** Curves that are the same at any time: their edges live as long as the pool object. */
const TIMELESS: ReadonlySet<CurveKind> = new Set<CurveKind>([
  "constant-product",
  "concentrated",
  "fixed-rate",
  "solidly",
]);

/** Sets of wrappers seen side by side before the store starts afresh. */
const MOST_NAMINGS = 8;

/** Names tokens by small numbers; tokens that wrap the native one share its number, 0. */
interface Naming {
  readonly nodes: Map<Address, number>;
  readonly members: Address[][];
  readonly pools: Map<PoolId, number>;
  readonly edges: WeakMap<Pool, readonly Edge[]>;
  readonly deadEnds: WeakMap<readonly Pool[], boolean>;
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

export function listOf(edges: readonly Edge[]): EdgeList {
  return {
    edges,
    to: Int32Array.from(edges, (edge) => edge.to),
    spot: Float64Array.from(edges, (edge) => edge.spot),
    depth: Float64Array.from(edges, (edge) => edge.depth),
    pool: Int32Array.from(edges, (edge) => edge.poolNumber),
  };
}

function createNaming(same: readonly Address[]): Naming {
  return {
    nodes: new Map(same.map((token) => [token, 0])),
    members: [[...same]],
    pools: new Map(),
    edges: new WeakMap(),
    deadEnds: new WeakMap(),
    graphs: new WeakMap(),
  };
}

function createEdgeGraph(graph: PoolGraph, naming: Naming): EdgeGraph {
  const lists: (EdgeList | undefined)[] = [];
  const deadEnds: (boolean | undefined)[] = [];

  const nodeOf = (token: Address): number => {
    let node = naming.nodes.get(token);
    if (node === undefined) {
      node = naming.members.length;
      naming.nodes.set(token, node);
      naming.members.push([token]);
    }
    return node;
  };

  const numberOf = (id: PoolId): number => {
    let number = naming.pools.get(id);
    if (number === undefined) {
      number = naming.pools.size;
      naming.pools.set(id, number);
    }
    return number;
  };

  const edgesOf = (pool: Pool): readonly Edge[] => {
    const timeless = TIMELESS.has(pool.curve);
    const known = timeless ? naming.edges.get(pool) : undefined;
    if (known !== undefined) return known;
    const edges = makeEdges(pool, graph.time, nodeOf, numberOf(pool.id));
    if (timeless) naming.edges.set(pool, edges);
    return edges;
  };

  const poolsOf = (node: number): readonly Pool[] => {
    const tokens = naming.members[node] as Address[];
    return tokens.length === 1 ? graph.poolsOf(tokens[0] as Address) : tokens.flatMap((token) => graph.poolsOf(token));
  };

  const leadsToOne = (node: number): boolean => {
    const pools = poolsOf(node);
    let answer = naming.deadEnds.get(pools);
    if (answer === undefined) {
      answer = hasOneNeighbour(pools, node, nodeOf);
      naming.deadEnds.set(pools, answer);
    }
    return answer;
  };

  const isDeadEnd = (node: number): boolean => {
    if (node === 0) return false;
    let answer = deadEnds[node];
    if (answer === undefined) {
      answer = leadsToOne(node);
      deadEnds[node] = answer;
    }
    return answer;
  };

  return {
    get size() {
      return naming.members.length;
    },
    get poolCount() {
      return naming.pools.size;
    },
    nodeOf,
    isDeadEnd,
    leaving(node) {
      let list = lists[node];
      if (list === undefined) {
        const edges: Edge[] = [];
        for (const pool of poolsOf(node))
          for (const edge of edgesOf(pool)) if (edge.from === node && !isDeadEnd(edge.to)) edges.push(edge);
        list = listOf(edges);
        lists[node] = list;
      }
      return list;
    },
    entering(node) {
      return poolsOf(node).flatMap((pool) => edgesOf(pool).filter((edge) => edge.to === node));
    },
  };
}

function hasOneNeighbour(pools: readonly Pool[], node: number, nodeOf: (token: Address) => number): boolean {
  let neighbour = node;
  for (const pool of pools)
    for (const token of pool.tokens) {
      const other = nodeOf(token);
      if (other === node || other === neighbour) continue;
      if (neighbour !== node) return false;
      neighbour = other;
    }
  return true;
}

/** All directions of a pool that sell anything; none between tokens that are the same node. */
function makeEdges(pool: Pool, time: bigint, nodeOf: (token: Address) => number, poolNumber: number): readonly Edge[] {
  const edges: Draft[] = [];
  pool.tokens.forEach((sellToken, sell) => {
    pool.tokens.forEach((buyToken, buy) => {
      const from = nodeOf(sellToken);
      const to = nodeOf(buyToken);
      if (from === to) return;
      const curve = mathOf(pool).curve(pool.state, { sell, buy }, time);
      if (curve === undefined) return;
      const spot = (curve.ceiling ?? curve).marginalRate(0);
      if (!(spot > 0) || !Number.isFinite(spot)) return;
      const edge: Draft = {
        pool,
        direction: { sell, buy },
        from,
        to,
        curve,
        spot,
        depth: depthOf(curve, spot),
        poolNumber,
        twin: undefined,
      };
      const twin = edges.find(({ direction }) => direction.sell === buy && direction.buy === sell);
      if (twin !== undefined) {
        edge.twin = twin;
        twin.twin = edge;
      }
      edges.push(edge);
    });
  });
  return edges;
}

type Draft = Omit<Edge, "twin"> & { twin: Edge | undefined };
