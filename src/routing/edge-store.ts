import { type Address, NATIVE_TOKEN } from "../domain/address.ts";
import type { PoolId } from "../domain/route.ts";
import type { CurveKind, Pool } from "../pools/pool.ts";
import { type Edge, makeEdges } from "./edges.ts";
import { type FlatGraph, layOut, putEdge } from "./flat-graph.ts";
import { createRestPrices } from "./rest-prices.ts";
import type { PoolGraph } from "./router.ts";

/**
 * The pools of one graph as edges between nodes. A node is a token, except that the native token and what wraps it one
 * to one are the same node, 0: wrapping costs no hop and no price.
 */
export interface EdgeGraph extends FlatGraph {
  /** Number of pools ever known. */
  readonly poolCount: number;
  /** The node of a token; undefined for one that no pool holds. */
  nodeOf(token: Address): number | undefined;
}

/** Keeps the edges of pools that did not change from graph to graph. */
export interface EdgeStore {
  /** `wrappers`: the pools at which a token counts as the same as the native one. Valid until the next call. */
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
const MOST_NAMINGS = 4;

export function createEdgeStore(): EdgeStore {
  const known = new Map<string, (graph: PoolGraph) => EdgeGraph>();
  return {
    graph(graph, wrappers) {
      const same = [...new Set([NATIVE_TOKEN, ...wrappers.flatMap((pool) => pool.tokens)])];
      const key = same.join();
      let edges = known.get(key);
      if (edges === undefined) {
        if (known.size >= MOST_NAMINGS) known.clear();
        edges = createEdges(same);
        known.set(key, edges);
      }
      return edges(graph);
    },
  };
}

/** The wrappers of the native token among a graph's pools. */
export function wrappersOf(graph: PoolGraph): readonly Pool[] {
  return graph.poolsOf(NATIVE_TOKEN).filter((pool) => pool.curve === "fixed-rate");
}

/** Graphs of other pools that are laid out side by side: those of one block differ by what makers offer. */
const MOST_LAYOUTS = 3;

/** Tokens and pools by small numbers, and the newest edges of every pool. */
interface Naming {
  readonly nodeOf: (token: Address) => number | undefined;
  readonly nameOf: (node: number) => Address;
  readonly size: () => number;
  readonly poolCount: () => number;
  readonly numberOf: (id: PoolId) => number;
  readonly edgesOf: (pool: Pool, number: number, time: bigint) => readonly Edge[];
}

/** The newest edges of a pool. */
interface Made {
  readonly pool: Pool;
  readonly time: bigint;
  /** Of its tokens. */
  readonly nodes: readonly number[];
  readonly edges: readonly Edge[];
}

/** One graph laid out, and what the next one is compared with. */
interface Layout {
  graph: PoolGraph;
  chunks: ReturnType<PoolGraph["chunks"]>;
  /** The pools by number. */
  readonly pools: (Pool | undefined)[];
  /** Numbers of all pools there are, by id. */
  order: readonly number[];
  readonly slots: Int32Array[];
  /** Numbers of pools whose curves move with time. */
  readonly moving: Set<number>;
  flat: EdgeGraph;
  /** Works out the prices at rest of `flat`. */
  priceAtRest: () => void;
}

/** What sets a graph's pools apart from a layout's. */
interface Changes {
  /** Pools in another state, or gone, by number. */
  readonly pools: ReadonlyMap<number, Pool | undefined>;
  /** Whether all that changed are states. */
  readonly inPlace: boolean;
}

/** Follows graph after graph: what changed is put in its place; new pools and lost ones lay everything out anew. */
function createEdges(same: readonly Address[]): (graph: PoolGraph) => EdgeGraph {
  const naming = createNaming(same);
  /** The one that was used last comes first. */
  const layouts: Layout[] = [];
  const pick = (graph: PoolGraph): { readonly layout: Layout; readonly changes: Changes } => {
    const all = layouts.map((layout) => ({ layout, changes: changesOf(layout, graph, naming) }));
    const inPlace = all.find(({ changes }) => changes.inPlace);
    if (inPlace !== undefined) return inPlace;
    const first = all[0];
    const oldest = all[all.length - 1];
    if (first === undefined || oldest === undefined) {
      const layout = emptyLayout(graph, naming);
      return { layout, changes: changesOf(layout, graph, naming) };
    }
    if (layouts.length === MOST_LAYOUTS || all.every(({ layout }) => layout.graph.time !== graph.time)) return oldest;
    const { layout, changes } = first;
    const copy = { ...layout, pools: [...layout.pools], slots: [], moving: new Set(layout.moving) };
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

function createNaming(same: readonly Address[]): Naming {
  const nodes = new Map<Address, number>(same.map((token) => [token, 0]));
  const names: Address[] = [same[0] as Address];
  const numbers = new Map<PoolId, number>();
  const made: Made[] = [];
  const nodeFor = (token: Address): number => {
    let node = nodes.get(token);
    if (node === undefined) {
      node = names.length;
      nodes.set(token, node);
      names.push(token);
    }
    return node;
  };
  return {
    nodeOf: (token) => nodes.get(token),
    nameOf: (node) => names[node] as Address,
    size: () => names.length,
    poolCount: () => numbers.size,
    numberOf(id) {
      let number = numbers.get(id);
      if (number === undefined) {
        number = numbers.size;
        numbers.set(id, number);
      }
      return number;
    },
    edgesOf(pool, number, time) {
      const known = made[number];
      if (known?.pool === pool && (known.time === time || TIMELESS.has(pool.curve))) return known.edges;
      const nodes = known?.pool.tokens === pool.tokens ? known.nodes : pool.tokens.map(nodeFor);
      const edges = makeEdges(pool, time, nodes, number);
      made[number] = { pool, time, nodes, edges };
      return edges;
    },
  };
}

function emptyLayout(graph: PoolGraph, naming: Naming): Layout {
  return {
    graph,
    chunks: [],
    pools: [],
    order: [],
    slots: [],
    moving: new Set(),
    flat: { ...layOut(1, [], [], [], naming.nameOf), poolCount: 0, nodeOf: naming.nodeOf },
    priceAtRest: () => {},
  };
}

const NO_POOLS: readonly (Pool | undefined)[] = [];

function changesOf({ graph, chunks, pools, moving }: Layout, next: PoolGraph, { numberOf }: Naming): Changes {
  const found = new Map<number, Pool | undefined>();
  const added: Pool[] = [];
  const now = next.chunks();
  for (let c = 0; c < Math.max(now.length, chunks.length); c++) {
    const before = chunks[c] ?? NO_POOLS;
    const after = now[c] ?? NO_POOLS;
    if (before === after) continue;
    const length = Math.max(before.length, after.length);
    for (let i = 0; i < length; i++) {
      const was = before[i];
      const is = after[i];
      if (was === is) continue;
      if (was !== undefined && was.id !== is?.id) found.set(numberOf(was.id), undefined);
      if (is !== undefined) added.push(is);
    }
  }
  for (const pool of added) found.set(numberOf(pool.id), pool);
  if (graph.time !== next.time) for (const number of moving) if (!found.has(number)) found.set(number, pools[number]);
  let inPlace = true;
  for (const [number, pool] of found) {
    const was = pools[number];
    inPlace &&=
      was === pool ||
      (was !== undefined &&
        pool !== undefined &&
        (was.tokens === pool.tokens || was.tokens.join() === pool.tokens.join()));
  }
  return { pools: found, inPlace };
}

/** Brings a layout to the next graph. */
function follow(layout: Layout, graph: PoolGraph, changes: Changes, naming: Naming): void {
  const { pools, slots, moving } = layout;
  for (const [number, pool] of changes.pools) {
    pools[number] = pool;
    if (pool === undefined) moving.delete(number);
    else if (!TIMELESS.has(pool.curve)) moving.add(number);
  }
  const edgesAt = (number: number) => naming.edgesOf(pools[number] as Pool, number, graph.time);
  if (changes.inPlace) {
    for (const number of changes.pools.keys()) {
      const places = slots[number] as Int32Array;
      const edges = edgesAt(number);
      for (let k = 0; k < edges.length; k++) putEdge(layout.flat, places[k] as number, edges[k] as Edge);
    }
  } else {
    const known = new Set(layout.order);
    const come = [...changes.pools.keys()].filter((number) => pools[number] !== undefined && !known.has(number));
    const id = (number: number) => (pools[number] as Pool).id;
    const stay = layout.order.filter((number) => pools[number] !== undefined);
    layout.order = merged(
      stay,
      come.sort((a, b) => (id(a) < id(b) ? -1 : 1)),
      id,
    );
    const edges = layout.order.map(edgesAt);
    const flat = layOut(naming.size(), edges, slots, layout.order, naming.nameOf);
    layout.flat = { ...flat, poolCount: naming.poolCount(), nodeOf: naming.nodeOf };
    layout.priceAtRest = createRestPrices(layout.flat, naming.nameOf);
  }
  if (changes.pools.size > 0) layout.priceAtRest();
  layout.chunks = graph.chunks();
  layout.graph = graph;
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
