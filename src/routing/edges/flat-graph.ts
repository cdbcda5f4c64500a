import type { Pool } from "../../pools/pool.ts";
import type { CurveOutline } from "../../pools/pool-math.ts";
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
  /** End of a node's slots that lead on; slots behind it lead to dead ends, which no route passes through. */
  readonly live: Int32Array;
  /** The pools by number; undefined for those that are gone. */
  readonly pools: readonly (Pool | undefined)[];
  /** The edge in a slot. */
  readonly edgeAt: (slot: number) => Edge;
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly spot: Float64Array;
  readonly depth: Float64Array;
  readonly deepest: Float64Array;
  readonly gas: Float64Array;
  readonly width: Float64Array;
  readonly pool: Int32Array;
  /** All slots in the order of their pools' ids, then of their directions. */
  readonly ranked: Int32Array;
  /** The place of each slot among these: an order that does not depend on what was known first. */
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
  /** Marginal value that an edge returns per unit at these prices; below 1 unless the price gap exceeds the fee. */
  readonly gain: Float64Array;
  /** The gain of the twin. */
  readonly back: Float64Array;
  /** Slots that gain: pools whose price differs from these by more than their fee. Those of dead ends are not among them. */
  restless: Int32Array;
  /** The least gas of a use of any pool but those of dead ends. */
  leastGas: number;
  /** Number of edge changes so far: caches of earlier edges may be out of date. */
  puts: number;
  /** The slots between tokens that are no dead ends whose edges changed last, all for one block, and `puts` before that. */
  latest: { readonly slots: readonly number[]; readonly since: number };
}

/** Gain above which a pool counts as off the prices, to be traded against: less is rounding of floats. */
export const MIN_GAIN = 1 + 1e-9;

/** Values stored in slots. */
type Numbers = Pick<FlatGraph, "twin" | "spot" | "spotBack" | "depth" | "deepest" | "gas" | "width">;

/** Puts what is known of an edge's curve into a slot that was laid out for it. */
export function putOutline(flat: Numbers, slot: number, { spot, depth, deepest, width, gas }: CurveOutline): void {
  flat.spot[slot] = spot;
  flat.spotBack[flat.twin[slot] as number] = spot;
  flat.depth[slot] = depth;
  flat.deepest[slot] = deepest;
  flat.gas[slot] = gas;
  flat.width[slot] = width;
}

/** Known parameters of the curve of the edge in a slot. */
export function outlineAt({ spot, depth, deepest, width, gas }: Numbers, slot: number): CurveOutline {
  return {
    spot: spot[slot] as number,
    depth: depth[slot] as number,
    deepest: deepest[slot] as number,
    width: width[slot] as number,
    gas: gas[slot] as number,
  };
}

/** Compares slots by their places among all. */
export function byRank({ rank }: Pick<FlatGraph, "rank">): (a: number, b: number) => number {
  return (a, b) => (rank[a] as number) - (rank[b] as number);
}
