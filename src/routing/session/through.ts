import type { Pool } from "../../pools/pool.ts";
import { mayUseAgain } from "../edges/edges.ts";
import { MIN_GAIN } from "../edges/flat-graph.ts";
import type { EdgeGraph } from "../graph/edge-store.ts";

/** Pools of a token from which on there is no use in adding up what they hold. */
const MANY = 24;

/**
 * Limits of the pools that gain at spot prices, by slot, infinite for all others: worked out when asked for and kept as long as no pool changes; none where many
 * pools share one. A route uses a pool once, so that nothing that it takes comes from itself, and nothing that it pays
 * goes back. What the trade itself sells and buys is not counted.
 */
export function createThrough(graph: EdgeGraph) {
  const { start, from, to, pool, twin, spot, depth, rest, gain, dead, edgeAt, pools } = graph;
  const pays = (slot: number): number => {
    if (spot[slot] === 0) return 0;
    if ((depth[slot] as number) > 0) return (spot[slot] as number) * (depth[slot] as number);
    const { curve: real } = edgeAt(slot);
    const curve = real.ceiling ?? real;
    return curve.buyAmountFor(curve.maxSell);
  };
  /** Value that a pool pays at spot prices; for a dead end, which has no price, at the pool's own rate. */
  const worth = (slot: number): number => {
    const paid = pays(slot);
    if (paid === 0 || dead[to[slot] as number] === 0) return paid * (rest[to[slot] as number] as number);
    return (paid / (spot[slot] as number)) * (rest[from[slot] as number] as number);
  };
  const sumOver = (node: number, own: number, of: (slot: number) => number): number => {
    const [first, end] = [start[node] as number, start[node + 1] as number];
    if (end - first > MANY) return Number.POSITIVE_INFINITY;
    graph.ready(node);
    let sum = 0;
    for (let slot = first; slot < end; slot++) if (pool[slot] !== own) sum += of(slot);
    return sum;
  };
  const isLimited = (slot: number): boolean =>
    dead[from[slot] as number] === 0 &&
    dead[to[slot] as number] === 0 &&
    !mayUseAgain(pools[pool[slot] as number] as Pool);
  /** Memo of a slot's value until pools change. */
  const remembered = (limitOf: (slot: number) => number): ((slot: number) => number) => {
    const known = new Map<number, number>();
    let seen = graph.puts;
    return (slot) => {
      if (!((gain[slot] as number) > MIN_GAIN)) return Number.POSITIVE_INFINITY;
      if (seen !== graph.puts) known.clear();
      seen = graph.puts;
      const before = known.get(slot);
      if (before !== undefined) return before;
      const limit = isLimited(slot) ? limitOf(slot) : Number.POSITIVE_INFINITY;
      known.set(slot, limit);
      return limit;
    };
  };
  return {
    /** The most that can arrive there, in base units of the token that it takes: what all other pools have of it. */
    arriving: remembered((slot) =>
      sumOver(from[slot] as number, pool[slot] as number, (other) => pays(twin[other] as number)),
    ),
    /** The most that can be made of what it pays, in value at spot prices: what all other pools of that token have of others. */
    leaving: remembered((slot) => sumOver(to[slot] as number, pool[slot] as number, worth)),
  };
}
