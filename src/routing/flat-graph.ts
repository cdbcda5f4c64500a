import type { Edge } from "./edges.ts";

/**
 * Edges in slots, all that leave a node side by side, in the order of their pools' ids: scans read numbers in a row.
 * The order does not depend on which pool was known first.
 */
export interface FlatGraph {
  /** Number of nodes. */
  readonly size: number;
  /** The first slot of each node; one more at the end. */
  readonly start: Int32Array;
  /** Where the slots of a node end that do not lead to dead ends: behind these no route passes through. */
  readonly live: Int32Array;
  readonly edges: Edge[];
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly spot: Float64Array;
  readonly depth: Float64Array;
  readonly gas: Float64Array;
  readonly width: Float64Array;
  readonly pool: Int32Array;
  /** The place of each slot's pool among all, by id. */
  readonly rank: Int32Array;
  /** The slot of the same two tokens of the same pool the other way round. */
  readonly twin: Int32Array;
  /** 1 for a node whose pools all lead to one other node: it can begin or end a route, but not lie on it. */
  readonly dead: Uint8Array;
  /** The spot of the twin. */
  readonly spotBack: Float64Array;
  /** The nodes that a route can pass through, in the order of their first pools' ids. */
  readonly through: Int32Array;
  /** The nodes with most slots, most first. */
  readonly hubs: readonly number[];
  /** The slots from each hub to each other one: those from the first to all, then those from the second, and so on. */
  readonly links: readonly (readonly number[])[];
  /** Value of a base unit of each node's token when nobody trades, in no unit. Only ratios count. Dead ends: see priceEnds. */
  readonly rest: Float64Array;
  /** What an edge makes of a unit of value at these prices, at the margin; below 1 where the pool's fee is not made up for. */
  readonly gain: Float64Array;
  /** The gain of the twin. */
  readonly back: Float64Array;
  /** Slots that gain: pools that stand off the prices by more than their fee. Those of dead ends are not among them. */
  restless: Int32Array;
  /** The least gas of a touch of any pool. */
  leastGas: number;
  /** How often an edge was put into a slot: what was made of edges before may be out of date. */
  puts: number;
}

/** Gain above which a pool counts as standing off the prices: less is rounding of floats. */
export const LEAST_GAIN = 1 + 1e-9;

/** Nodes that others are priced by. */
const HUBS = 16;

/** Lays out the edges of pools, which come in their final order; `dead` as in FlatGraph. Slots go into `slotsOf`. */
export function layOut(
  size: number,
  pools: readonly (readonly Edge[])[],
  slotsOf: Int32Array[],
  numbers: readonly number[],
  names: (node: number) => string,
): FlatGraph {
  const dead = deadEnds(size, pools);
  const counts = new Int32Array(size + 1);
  const lively = new Int32Array(size);
  for (const edges of pools)
    for (const { from, to } of edges) {
      counts[from + 1]! += 1;
      if (dead[to] === 0) lively[from]! += 1;
    }
  const start = counts;
  for (let node = 0; node < size; node++) start[node + 1]! += start[node] as number;
  const total = start[size] as number;
  const live = new Int32Array(size);
  const nextLive = start.slice(0, size);
  const nextDead = new Int32Array(size);
  for (let node = 0; node < size; node++) {
    live[node] = (start[node] as number) + (lively[node] as number);
    nextDead[node] = live[node] as number;
  }
  const hubs = hubsOf(size, start, names);
  const flat: FlatGraph = {
    size,
    start,
    live,
    edges: new Array<Edge>(total),
    from: new Int32Array(total),
    to: new Int32Array(total),
    spot: new Float64Array(total),
    depth: new Float64Array(total),
    gas: new Float64Array(total),
    width: new Float64Array(total),
    pool: new Int32Array(total),
    rank: new Int32Array(total),
    twin: new Int32Array(total),
    dead,
    spotBack: new Float64Array(total),
    through: passableNodes(dead, start, live),
    hubs,
    links: [],
    rest: new Float64Array(size),
    gain: new Float64Array(total),
    back: new Float64Array(total),
    restless: new Int32Array(0),
    leastGas: 0,
    puts: 0,
  };
  pools.forEach((edges, i) => {
    const slots = new Int32Array(edges.length);
    edges.forEach((edge, k) => {
      const next = dead[edge.to] === 0 ? nextLive : nextDead;
      slots[k] = next[edge.from] as number;
      next[edge.from]! += 1;
    });
    slotsOf[numbers[i] as number] = slots;
    edges.forEach((edge, k) => {
      const slot = slots[k] as number;
      const other = edges.findIndex(
        ({ direction }) => direction.sell === edge.direction.buy && direction.buy === edge.direction.sell,
      );
      flat.from[slot] = edge.from;
      flat.to[slot] = edge.to;
      flat.rank[slot] = i;
      flat.pool[slot] = edge.poolNumber;
      flat.twin[slot] = slots[other] as number;
      putEdge(flat, slot, edge);
    });
  });
  const { rank } = flat;
  flat.through.sort((a, b) => (rank[start[a] as number] as number) - (rank[start[b] as number] as number) || a - b);
  return { ...flat, links: linksOf(flat) };
}

/** The nodes that are no dead ends and have slots. */
function passableNodes(dead: Uint8Array, start: Int32Array, live: Int32Array): Int32Array {
  const nodes: number[] = [];
  for (let node = 0; node < dead.length; node++)
    if (dead[node] === 0 && (live[node] as number) > (start[node] as number)) nodes.push(node);
  return Int32Array.from(nodes);
}

/** The slots between hubs, as in FlatGraph. */
function linksOf({ hubs, start, to }: FlatGraph): readonly (readonly number[])[] {
  const index = new Map(hubs.map((hub, i) => [hub, i]));
  const links = hubs.flatMap(() => hubs.map(() => [] as number[]));
  hubs.forEach((hub, i) => {
    for (let slot = start[hub] as number; slot < (start[hub + 1] as number); slot++) {
      const other = index.get(to[slot] as number);
      if (other !== undefined) links[i * hubs.length + other]?.push(slot);
    }
  });
  return links;
}

/** Puts an edge into a slot that was laid out for it. */
export function putEdge(flat: FlatGraph, slot: number, edge: Edge): void {
  flat.puts++;
  flat.edges[slot] = edge;
  flat.spot[slot] = edge.spot;
  flat.spotBack[flat.twin[slot] as number] = edge.spot;
  flat.depth[slot] = edge.depth;
  flat.gas[slot] = edge.gas;
  flat.width[slot] = edge.width;
}

/** Compares slots by their pools' ids, then by direction: an order that does not depend on what was known first. */
export function byRank({ rank, edges }: FlatGraph): (a: number, b: number) => number {
  const turn = (slot: number) => {
    const { sell, buy } = (edges[slot] as Edge).direction;
    return sell * 1024 + buy;
  };
  return (a, b) => (rank[a] as number) - (rank[b] as number) || turn(a) - turn(b);
}

function deadEnds(size: number, pools: readonly (readonly Edge[])[]): Uint8Array {
  const neighbour = new Int32Array(size).fill(-1);
  const dead = new Uint8Array(size).fill(1);
  // Where the native token can be wrapped at no cost of hops, its node is never left out.
  dead[0] = 0;
  for (const edges of pools)
    for (const { from, to } of edges) {
      if (neighbour[from] === -1) neighbour[from] = to;
      else if (neighbour[from] !== to) dead[from] = 0;
    }
  return dead;
}

function hubsOf(size: number, start: Int32Array, names: (node: number) => string): number[] {
  const count = (node: number) => (start[node + 1] as number) - (start[node] as number);
  let least = 0;
  let best: number[] = [];
  for (let node = 0; node < size; node++) {
    if (count(node) < Math.max(1, least)) continue;
    best.push(node);
    if (best.length < 4 * HUBS) continue;
    best = largest(best, count, names);
    least = count(best[best.length - 1] as number);
  }
  return largest(best, count, names);
}

function largest(nodes: number[], count: (node: number) => number, names: (node: number) => string): number[] {
  return nodes.sort((a, b) => count(b) - count(a) || (names(a) < names(b) ? -1 : 1)).slice(0, HUBS);
}
