import type { Direction } from "../../pools/pool-math.ts";
import { directionsOf } from "../edges/edges.ts";
import { byRank, type FlatGraph } from "../edges/flat-graph.ts";

/** Nodes between which pools are bundled, and by the first of which others are priced. */
const HUBS = 48;

/** Slots for edges, of whose curves nothing is known yet. */
export interface LaidOut {
  readonly flat: Omit<FlatGraph, "pools" | "edgeAt">;
  /** First of each pool's slots among the `ranked` ones, by pool number. */
  readonly first: Int32Array;
  /** The directions of each pool, in the order of these slots. */
  readonly directions: readonly (readonly Direction[])[];
}

/**
 * Lays out the edges of pools, which come in their final order, each as the nodes of its tokens; `numbers` are the pools'.
 */
export function layOut(size: number, pools: readonly (readonly number[])[], numbers: readonly number[]): LaidOut {
  const ways = pools.map(directionsOf);
  const dead = deadEnds(size, pools, ways);
  const counts = new Int32Array(size + 1);
  const lively = new Int32Array(size);
  pools.forEach((nodes, i) => {
    for (const { sell, buy } of ways[i] as readonly Direction[]) {
      const from = nodes[sell] as number;
      counts[from + 1]! += 1;
      if (dead[nodes[buy] as number] === 0) lively[from]! += 1;
    }
  });
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
  const flat: LaidOut["flat"] = {
    size,
    start,
    live,
    from: new Int32Array(total),
    to: new Int32Array(total),
    spot: new Float64Array(total),
    depth: new Float64Array(total),
    deepest: new Float64Array(total),
    gas: new Float64Array(total),
    width: new Float64Array(total),
    pool: new Int32Array(total),
    ranked: new Int32Array(total),
    rank: new Int32Array(total),
    twin: new Int32Array(total),
    dead,
    spotBack: new Float64Array(total),
    through: passableNodes(dead, start),
    hubs: [],
    links: [],
    rest: new Float64Array(size),
    gain: new Float64Array(total),
    back: new Float64Array(total),
    restless: new Int32Array(0),
    leastGas: Number.NaN,
    puts: 0,
    latest: { slots: [], since: 0 },
  };
  const slots = flat.ranked;
  const first = new Int32Array(numbers.reduce((most, number) => Math.max(most, number + 1), 0));
  const directions: (readonly Direction[])[] = new Array(first.length).fill([]);
  let filled = 0;
  pools.forEach((nodes, i) => {
    const begin = filled;
    const own = ways[i] as readonly Direction[];
    first[numbers[i] as number] = begin;
    directions[numbers[i] as number] = own;
    for (const { sell, buy } of own) {
      const from = nodes[sell] as number;
      const next = dead[nodes[buy] as number] === 0 ? nextLive : nextDead;
      slots[filled++] = next[from] as number;
      next[from]! += 1;
    }
    own.forEach(({ sell, buy }, k) => {
      const slot = slots[begin + k] as number;
      const other = own.findIndex((back) => back.sell === buy && back.buy === sell);
      flat.from[slot] = nodes[sell] as number;
      flat.to[slot] = nodes[buy] as number;
      flat.rank[slot] = begin + k;
      flat.pool[slot] = numbers[i] as number;
      flat.twin[slot] = slots[begin + other] as number;
    });
  });
  const inOrder = byRank(flat);
  flat.through.sort((a, b) => inOrder(start[a] as number, start[b] as number));
  const hubs = hubsOf(flat);
  return { flat: { ...flat, hubs, links: linksOf({ ...flat, hubs }) }, first, directions };
}

/** The nodes that are no dead ends and have slots. */
function passableNodes(dead: Uint8Array, start: Int32Array): Int32Array {
  const nodes = Int32Array.from(dead.keys());
  return nodes.filter((node) => dead[node] === 0 && (start[node + 1] as number) > (start[node] as number));
}

/** The slots between hubs, as in FlatGraph. */
function linksOf({
  hubs,
  start,
  live,
  to,
}: Pick<FlatGraph, "hubs" | "start" | "live" | "to">): readonly (readonly number[])[] {
  const index = new Map(hubs.map((hub, i) => [hub, i]));
  const links = hubs.flatMap(() => hubs.map(() => [] as number[]));
  hubs.forEach((hub, i) => {
    for (let slot = start[hub] as number; slot < (live[hub] as number); slot++) {
      const other = index.get(to[slot] as number);
      if (other !== undefined) links[i * hubs.length + other]?.push(slot);
    }
  });
  return links;
}

function deadEnds(
  size: number,
  pools: readonly (readonly number[])[],
  ways: readonly (readonly Direction[])[],
): Uint8Array {
  const neighbour = new Int32Array(size).fill(-1);
  const dead = new Uint8Array(size).fill(1);
  // If the native token can be wrapped at no cost of hops, its node is never left out.
  dead[0] = 0;
  pools.forEach((nodes, i) => {
    for (const { sell, buy } of ways[i] as readonly Direction[]) {
      const from = nodes[sell] as number;
      const to = nodes[buy] as number;
      if (neighbour[from] === -1) neighbour[from] = to;
      else if (neighbour[from] !== to) dead[from] = 0;
    }
  });
  return dead;
}

/** The nodes with most slots that are no dead ends. */
function hubsOf({ through, start, live, rank }: Pick<FlatGraph, "through" | "start" | "live" | "rank">): number[] {
  const count = (node: number) => (live[node] as number) - (start[node] as number);
  const inOrder = byRank({ rank });
  const nodes = [...through].sort((a, b) => count(b) - count(a) || inOrder(start[a] as number, start[b] as number));
  return nodes.slice(0, HUBS);
}
