import type { Address } from "../../domain/address.ts";
import type { Pool } from "../../pools/pool.ts";
import type { CurveOutline } from "../../pools/pool-math.ts";
import type { Edge } from "./edges.ts";

/**
 * The pools of one graph as edges between nodes. A node is a token, except that the native token and what wraps it one
 * to one are the same node, 0: wrapping costs no hop and no price. Edges lie in slots, all that leave a node side by side,
 * in the order of their pools' ids: scans read numbers in a row. All numbers depend on these pools alone.
 */
export interface FlatGraph {
  /** Number of nodes. */
  readonly size: number;
  /** The node of a token; undefined for one that no pool holds. */
  readonly nodeOf: (token: Address) => number | undefined;
  /** 1 for the nodes that a route may lead over, besides those that it begins and ends at. */
  readonly hops: Uint8Array;
  /** Follows the pools between a node and dead ends, or of one: what is in their slots before that may be out of date. */
  readonly ready: (node: number) => void;
  /** The first slot of each node; one more at the end. */
  readonly start: Int32Array;
  /** End of a node's slots that lead on; slots behind it lead to dead ends, which no route passes through. */
  readonly live: Int32Array;
  /** The pools by number, in the order of their ids. */
  readonly pools: readonly Pool[];
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
  /** The slot of the same two tokens of the same pool the other way round. */
  readonly twin: Int32Array;
  /** 1 for a node whose pools all lead to one other node: it can begin or end a route, but not lie on it. */
  readonly dead: Uint8Array;
  /** The spot of the twin. */
  readonly spotBack: Float64Array;
  /** The nodes that a route can pass through. */
  readonly through: readonly number[];
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
  /** Number of graphs that it has followed, and that at which the edge in each slot changed last. */
  follows: number;
  readonly changedAt: Int32Array;
}

/** Gain above which a pool counts as off the prices, to be traded against: less is rounding of floats. */
export const MIN_GAIN = 1 + 1e-9;

/** Puts what is known of an edge's curve into a slot that was laid out for it. */
export function putOutline(flat: FlatGraph, slot: number, { spot, depth, deepest, width, gas }: CurveOutline): void {
  flat.spot[slot] = spot;
  flat.spotBack[flat.twin[slot] as number] = spot;
  flat.depth[slot] = depth;
  flat.deepest[slot] = deepest;
  flat.gas[slot] = gas;
  flat.width[slot] = width;
}

/** Known parameters of the curve of the edge in a slot. */
export function outlineAt({ spot, depth, deepest, width, gas }: FlatGraph, slot: number): CurveOutline {
  return {
    spot: spot[slot] as number,
    depth: depth[slot] as number,
    deepest: deepest[slot] as number,
    width: width[slot] as number,
    gas: gas[slot] as number,
  };
}
