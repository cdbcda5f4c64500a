import type { Address } from "../../domain/address.ts";
import type { Pool } from "../../pools/pool.ts";
import type { Direction } from "../../pools/pool-math.ts";
import { directionsOf } from "../edges/edges.ts";
import type { FlatGraph } from "../edges/flat-graph.ts";

/** Nodes between which pools are bundled, and by which others are priced. */
const HUBS = 48;

/** Slots for edges, of whose curves nothing is known yet. */
export interface LaidOut {
  /** The numbers of all tokens that were ever met, those that are node 0 first. Later layouts share them, and add to them. */
  readonly numbers: Map<Address, number>;
  /** The numbers of each pool's tokens. */
  readonly held: readonly (readonly number[])[];
  /** The node of each token by number, as far as they were met; -1 for one that no pool holds. */
  readonly nodes: Int32Array;
  readonly flat: Omit<FlatGraph, "edgeAt" | "nodeOf" | "ready">;
  /** The directions of each pool. */
  readonly directions: readonly (readonly Direction[])[];
  /** The slots of all pools, one pool's after the other's, in the order of its directions. */
  readonly slots: Int32Array;
  /** The place among these where each pool's begin; one more at the end. */
  readonly first: Int32Array;
}

/** An earlier layout, and the number that each pool had there; -1 for those that it did not have. */
type Earlier = Pick<LaidOut, "numbers" | "held"> & { readonly was: Int32Array };

/** Lays out the edges of pools, which come in the order of their ids. `same`: the tokens that are node 0. */
export function layOut(pools: readonly Pool[], same: readonly Address[], before?: Earlier): LaidOut {
  const numbers = before?.numbers ?? new Map(same.map((token) => [token, 0]));
  const numberOf = (token: Address): number => {
    const number = numbers.get(token) ?? numbers.size - same.length + 1;
    numbers.set(token, number);
    return number;
  };
  const held = pools.map(({ tokens }, i) => before?.held[before.was[i] as number] ?? tokens.map(numberOf));
  const { nodes, size } = nodesOf(held, numbers.size);
  const directions = held.map(directionsOf);
  const first = new Int32Array(pools.length + 1);
  directions.forEach(({ length }, i) => {
    first[i + 1] = (first[i] as number) + length;
  });
  const total = first[pools.length] as number;
  const ints = () => new Int32Array(total);
  const floats = () => new Float64Array(total);
  /** The nodes that each edge leads between, in the order of pools. */
  const [from, to] = [ints(), ints()];
  let at = 0;
  held.forEach((own, i) => {
    for (const { sell, buy } of directions[i] as readonly Direction[]) {
      from[at] = nodes[own[sell] as number] as number;
      to[at++] = nodes[own[buy] as number] as number;
    }
  });
  const { dead, start, live, slots } = slotsFor(size, from, to);
  const flat: LaidOut["flat"] = {
    ...{ size, pools, start, live, dead, through: passableNodes(dead, start), hubs: [], links: [] },
    ...{ from: ints(), to: ints(), pool: ints(), twin: ints(), changedAt: ints(), follows: 0 },
    ...{ spot: floats(), spotBack: floats(), depth: floats(), deepest: floats(), gas: floats(), width: floats() },
    ...{ gain: floats(), back: floats(), rest: new Float64Array(size), hops: new Uint8Array(size) },
    ...{ restless: new Int32Array(0), leastGas: Number.NaN },
  };
  directions.forEach((own, i) => {
    const begin = first[i] as number;
    own.forEach(({ sell, buy }, k) => {
      const slot = slots[begin + k] as number;
      flat.from[slot] = from[begin + k] as number;
      flat.to[slot] = to[begin + k] as number;
      flat.pool[slot] = i;
      flat.twin[slot] = slots[begin + own.findIndex((other) => other.sell === buy && other.buy === sell)] as number;
    });
  });
  const hubs = hubsOf(flat);
  return { numbers, held, nodes, flat: { ...flat, hubs, links: linksOf(flat, hubs) }, directions, slots, first };
}

/** The node of each token, by number: those of most pools come first, as what is looked at most then lies side by side. */
function nodesOf(held: readonly (readonly number[])[], count: number) {
  const pools = new Int32Array(count);
  const met: number[] = [];
  for (const numbers of held)
    for (const number of numbers) {
      if (pools[number] === 0 && number > 0) met.push(number);
      pools[number]! += 1;
    }
  met.sort((a, b) => (pools[b] as number) - (pools[a] as number));
  const nodes = new Int32Array(count).fill(-1);
  nodes[0] = 0;
  met.forEach((number, i) => {
    nodes[number] = i + 1;
  });
  return { nodes, size: met.length + 1 };
}

/** The slot of each edge, and the fields of a FlatGraph that say where nodes have theirs. */
function slotsFor(size: number, from: Int32Array, to: Int32Array) {
  const dead = deadEnds(size, from, to);
  /** By node where its slots that lead on begin, and those that lead to dead ends. */
  const begins = new Int32Array(2 * size + 1);
  const kinds = from.map((node, i) => 2 * node + (dead[to[i] as number] as number));
  for (const kind of kinds) begins[kind + 1]! += 1;
  for (let kind = 0; kind < 2 * size; kind++) begins[kind + 1]! += begins[kind] as number;
  const [start, live] = [begins.filter((_, kind) => kind % 2 === 0), begins.filter((_, kind) => kind % 2 === 1)];
  return { dead, start, live, slots: kinds.map((kind) => begins[kind]!++) };
}

function deadEnds(size: number, from: Int32Array, to: Int32Array): Uint8Array {
  const neighbour = new Int32Array(size).fill(-1);
  const dead = new Uint8Array(size).fill(1);
  // If the native token can be wrapped at no cost of hops, its node is never left out.
  dead[0] = 0;
  for (let i = 0; i < from.length; i++) {
    const node = from[i] as number;
    if (neighbour[node] === -1) neighbour[node] = to[i] as number;
    else if (neighbour[node] !== to[i]) dead[node] = 0;
  }
  return dead;
}

/** The nodes that are no dead ends and have slots. */
function passableNodes(dead: Uint8Array, start: Int32Array): number[] {
  const nodes: number[] = [];
  for (let node = 0; node < dead.length; node++)
    if (dead[node] === 0 && (start[node + 1] as number) > (start[node] as number)) nodes.push(node);
  return nodes;
}

/** The nodes with most slots that are no dead ends. */
function hubsOf({ through, start, live }: Pick<FlatGraph, "through" | "start" | "live">): number[] {
  const count = (node: number) => (live[node] as number) - (start[node] as number);
  return [...through].sort((a, b) => count(b) - count(a)).slice(0, HUBS);
}

/** The slots between hubs, as in FlatGraph. */
function linksOf({ start, live, to }: Pick<FlatGraph, "start" | "live" | "to">, hubs: readonly number[]): number[][] {
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
