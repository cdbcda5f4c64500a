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

/** All edges that lead to a node, and the same by the node that they leave. */
export interface Entering {
  readonly edges: readonly Edge[];
  readonly from: ReadonlyMap<number, readonly Edge[]>;
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
  entering(node: number): Entering;
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
  /** The newest edges of every pool, by its number. */
  readonly made: (Made | undefined)[];
  /** What is known of every node, from the graph that was last asked about it. */
  readonly known: (Node | undefined)[];
  readonly graphs: WeakMap<PoolGraph, EdgeGraph>;
}

interface Made {
  readonly pool: Pool;
  readonly time: bigint;
  readonly edges: readonly Edge[];
}

/** A node as one graph has it. The next graph checks it pool by pool and changes what has changed. */
interface Node {
  graph: PoolGraph;
  pools: readonly Pool[];
  deadEnd: boolean;
  list: NodeList | undefined;
  entering: Entering | undefined;
}

/** The edges that leave a node, and what they were made from. */
interface NodeList extends EdgeList {
  readonly edges: Edge[];
  graph: PoolGraph;
  /** Whether the node at the other end was a dead end, by position among all edges, and that node. */
  readonly ends: Int32Array;
  readonly wereDead: Uint8Array;
  readonly pools: Pool[];
  /** Where each pool's edges begin; one more at the end. */
  readonly starts: Int32Array;
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
    made: [],
    known: [],
    graphs: new WeakMap(),
  };
}

function createEdgeGraph(graph: PoolGraph, naming: Naming): EdgeGraph {
  const { time } = graph;
  const none: Entering = { edges: [], from: new Map() };

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
    const number = numberOf(pool.id);
    const known = naming.made[number];
    if (known?.pool === pool && (known.time === time || TIMELESS.has(pool.curve))) return known.edges;
    const edges = makeEdges(pool, time, nodeOf, number);
    naming.made[number] = { pool, time, edges };
    return edges;
  };

  const poolsOf = (node: number): readonly Pool[] => {
    const tokens = naming.members[node] as Address[];
    return tokens.length === 1 ? graph.poolsOf(tokens[0] as Address) : tokens.flatMap((token) => graph.poolsOf(token));
  };

  /** The node in this graph: the one of the graph before where its pools are the same. */
  const at = (node: number): Node => {
    const known = naming.known[node];
    if (known?.graph === graph) return known;
    const pools = poolsOf(node);
    if (known === undefined) {
      const deadEnd = node !== 0 && hasOneNeighbour(pools, node, nodeOf);
      const fresh: Node = { graph, pools, deadEnd, list: undefined, entering: undefined };
      naming.known[node] = fresh;
      return fresh;
    }
    if (!sameTokens(known.pools, pools)) known.deadEnd = node !== 0 && hasOneNeighbour(pools, node, nodeOf);
    if (known.graph.time !== time || !samePools(known.pools, pools)) known.entering = undefined;
    known.graph = graph;
    known.pools = pools;
    return known;
  };

  const build = (node: number, pools: readonly Pool[]): NodeList => {
    const edges: Edge[] = [];
    const ends: number[] = [];
    const wereDead: number[] = [];
    const starts = new Int32Array(pools.length + 1);
    pools.forEach((pool, i) => {
      for (const edge of edgesOf(pool)) {
        if (edge.from !== node) continue;
        const dead = at(edge.to).deadEnd;
        ends.push(edge.to);
        wereDead.push(dead ? 1 : 0);
        if (!dead) edges.push(edge);
      }
      starts[i + 1] = edges.length;
    });
    return {
      ...listOf(edges),
      edges,
      graph,
      pools: [...pools],
      starts,
      ends: Int32Array.from(ends),
      wereDead: Uint8Array.from(wereDead),
    };
  };

  /** Puts changed pools in their places; false where the list has to be made anew. */
  const patch = (node: number, list: NodeList, pools: readonly Pool[]): boolean => {
    if (!sameTokens(list.pools, pools)) return false;
    for (let i = 0; i < list.ends.length; i++)
      if ((list.wereDead[i] === 1) !== at(list.ends[i] as number).deadEnd) return false;
    const later = list.graph.time !== time;
    for (let i = 0; i < pools.length; i++) {
      const pool = pools[i] as Pool;
      if (list.pools[i] === pool && !(later && !TIMELESS.has(pool.curve))) continue;
      const edges = edgesOf(pool).filter((edge) => edge.from === node && !at(edge.to).deadEnd);
      const start = list.starts[i] as number;
      if (edges.length !== (list.starts[i + 1] as number) - start) return false;
      for (let k = 0; k < edges.length; k++) {
        const edge = edges[k] as Edge;
        if (list.to[start + k] !== edge.to) return false;
        list.edges[start + k] = edge;
        (list.spot as Float64Array)[start + k] = edge.spot;
        (list.depth as Float64Array)[start + k] = edge.depth;
      }
      list.pools[i] = pool;
    }
    list.graph = graph;
    return true;
  };

  return {
    get size() {
      return naming.members.length;
    },
    get poolCount() {
      return naming.pools.size;
    },
    nodeOf,
    isDeadEnd: (node) => at(node).deadEnd,
    leaving(node) {
      const known = at(node);
      const { list } = known;
      if (list?.graph === graph) return list;
      if (list !== undefined && patch(node, list, known.pools)) return list;
      const fresh = build(node, known.pools);
      known.list = fresh;
      return fresh;
    },
    entering(node) {
      const known = at(node);
      if (known.pools.length === 0) return none;
      known.entering ??= enteringOf(known.pools.flatMap((pool) => edgesOf(pool).filter((edge) => edge.to === node)));
      return known.entering;
    },
  };
}

function enteringOf(edges: readonly Edge[]): Entering {
  const from = new Map<number, Edge[]>();
  for (const edge of edges) {
    const list = from.get(edge.from);
    if (list === undefined) from.set(edge.from, [edge]);
    else list.push(edge);
  }
  return { edges, from };
}

function samePools(before: readonly Pool[], now: readonly Pool[]): boolean {
  if (before === now) return true;
  if (before.length !== now.length) return false;
  for (let i = 0; i < now.length; i++) if (before[i] !== now[i]) return false;
  return true;
}

/** Whether these are the same pools in the same places, in whatever state. */
function sameTokens(before: readonly Pool[], now: readonly Pool[]): boolean {
  if (before === now) return true;
  if (before.length !== now.length) return false;
  for (let i = 0; i < now.length; i++) {
    const [was, is] = [before[i] as Pool, now[i] as Pool];
    if (was !== is && (was.id !== is.id || (was.tokens !== is.tokens && was.tokens.join() !== is.tokens.join())))
      return false;
  }
  return true;
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
