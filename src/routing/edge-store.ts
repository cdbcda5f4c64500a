import { type Address, NATIVE_TOKEN } from "../domain/address.ts";
import type { PoolId } from "../domain/route.ts";
import type { CurveKind, Pool } from "../pools/pool.ts";
import { type Edge, makeEdges } from "./edges.ts";
import { type FlatGraph, layOut, putEdge } from "./flat-graph.ts";
import { priceAtRest } from "./rest-prices.ts";
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

/** Follows graph after graph: what changed is put in its place; new pools and lost ones lay everything out anew. */
function createEdges(same: readonly Address[]): (graph: PoolGraph) => EdgeGraph {
  const nodes = new Map<Address, number>(same.map((token) => [token, 0]));
  const names: Address[] = [same[0] as Address];
  const numbers = new Map<PoolId, number>();
  const pools: (Pool | undefined)[] = [];
  const made: (readonly Edge[])[] = [];
  const slots: Int32Array[] = [];
  /** Numbers of pools whose curves move with time. */
  const moving = new Set<number>();
  /** Numbers of all pools there are, by id. */
  let order: number[] = [];
  let chunks: readonly (readonly (Pool | undefined)[])[] = [];
  let time: bigint | undefined;
  let last: PoolGraph | undefined;
  let flat: EdgeGraph | undefined;

  const nodeOf = (token: Address): number => {
    let node = nodes.get(token);
    if (node === undefined) {
      node = names.length;
      nodes.set(token, node);
      names.push(token);
    }
    return node;
  };

  const numberOf = (id: PoolId): number => {
    let number = numbers.get(id);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(id, number);
    }
    return number;
  };

  /** Pools in another state than before, or gone, by number. */
  const changes = (now: typeof chunks): Map<number, Pool | undefined> => {
    const found = new Map<number, Pool | undefined>();
    const added: Pool[] = [];
    for (let c = 0; c < Math.max(now.length, chunks.length); c++) {
      const [before, after] = [chunks[c] ?? [], now[c] ?? []];
      if (before === after) continue;
      for (let i = 0; i < Math.max(before.length, after.length); i++) {
        const [was, is] = [before[i], after[i]];
        if (was === is) continue;
        if (was !== undefined) found.set(numberOf(was.id), undefined);
        if (is !== undefined) added.push(is);
      }
    }
    for (const pool of added) found.set(numberOf(pool.id), pool);
    return found;
  };

  const remake = (number: number, pool: Pool, now: bigint): void => {
    made[number] = makeEdges(pool, now, nodeOf, number);
    pools[number] = pool;
    if (!TIMELESS.has(pool.curve)) moving.add(number);
  };

  return (graph) => {
    if (flat !== undefined && last === graph) return flat;
    const now = graph.chunks();
    const changed = changes(now);
    if (time !== graph.time) for (const number of moving) if (!changed.has(number)) changed.set(number, pools[number]);
    let laidOut = flat !== undefined;
    const gone = new Set<number>();
    const come: number[] = [];
    for (const [number, pool] of changed) {
      const was = pools[number];
      if (pool === undefined) {
        if (was !== undefined) gone.add(number);
        pools[number] = undefined;
        moving.delete(number);
        continue;
      }
      if (was === undefined) come.push(number);
      else if (was.tokens !== pool.tokens && was.tokens.join() !== pool.tokens.join()) laidOut = false;
      if (was !== pool || time !== graph.time) remake(number, pool, graph.time);
    }
    if (gone.size > 0) order = order.filter((number) => !gone.has(number));
    if (come.length > 0) {
      const id = (number: number) => (pools[number] as Pool).id;
      order = [...order, ...come].sort((a, b) => (id(a) < id(b) ? -1 : 1));
    }
    if (flat === undefined || !laidOut || gone.size > 0 || come.length > 0) {
      const ordered = order.map((number) => made[number] as readonly Edge[]);
      const layout = layOut(names.length, ordered, slots, order, (node) => names[node] as string);
      flat = { ...layout, poolCount: numbers.size, nodeOf: (token) => nodes.get(token) };
    } else {
      for (const number of changed.keys()) {
        const places = slots[number] as Int32Array;
        (made[number] as readonly Edge[]).forEach((edge, k) => {
          putEdge(flat as EdgeGraph, places[k] as number, edge);
        });
      }
    }
    if (changed.size > 0) priceAtRest(flat, (node) => names[node] as string);
    chunks = now;
    time = graph.time;
    last = graph;
    return flat;
  };
}
