import type { EdgeGraph } from "./edge-store.ts";
import type { Edge } from "./edges.ts";
import { mayTouchAgain } from "./touches.ts";

/** What can go through a pool that gains at rest, whatever the trade. */
export interface Through {
  /** The most that can arrive there, in base units of the token that it takes: what all other pools have of it. */
  readonly arriving: number;
  /** The most that can be made of what it pays, in value at rest: what all other pools of that token have of others. */
  readonly leaving: number;
}

/** Pools of a token from which on there is no use in adding up what they hold. */
const MANY = 24;

/**
 * Limits of the pools that gain at rest, by slot; none where many pools share one. A route touches a pool once, so that
 * nothing that it takes comes from itself, and nothing that it pays goes back. What the trade itself sells and buys is not
 * counted.
 */
export function throughRestless(graph: EdgeGraph): ReadonlyMap<number, Through> {
  const { restless, start, from, to, pool, twin, spot, depth, rest, edges } = graph;
  const limits = new Map<number, Through>();
  const pays = (slot: number): number => {
    if (spot[slot] === 0) return 0;
    if ((depth[slot] as number) > 0) return (spot[slot] as number) * (depth[slot] as number);
    const { curve } = edges[slot] as Edge;
    return curve.buyAmountFor(curve.maxSell);
  };
  const sumOver = (node: number, own: number, of: (slot: number) => number): number => {
    const [first, end] = [start[node] as number, start[node + 1] as number];
    if (end - first > MANY) return Number.POSITIVE_INFINITY;
    let sum = 0;
    for (let slot = first; slot < end; slot++) if (pool[slot] !== own) sum += of(slot);
    return sum;
  };
  for (const slot of restless) {
    if (mayTouchAgain((edges[slot] as Edge).pool)) continue;
    const own = pool[slot] as number;
    const arriving = sumOver(from[slot] as number, own, (other) => pays(twin[other] as number));
    const leaving = sumOver(to[slot] as number, own, (other) => pays(other) * (rest[to[other] as number] as number));
    limits.set(slot, { arriving, leaving });
  }
  return limits;
}
