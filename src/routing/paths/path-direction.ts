import { takesAll } from "../../pools/pool-math.ts";
import { TRUSTED_DEPTHS } from "../edges/depth.ts";
import type { Edge } from "../edges/edges.ts";
import type { Search, Side } from "../session/search.ts";
import { paidBy, takenBy } from "./amounts.ts";

/** Direction in which paths are followed: an amount to sell forward from the source, one to buy back from the sink. */
export interface PathDirection {
  readonly sells: boolean;
  readonly begin: number;
  readonly end: number;
  /** The slot behind the last one of the end that paths arrive over. */
  readonly lastEnd: number;
  /** The slot of the trade, for one that leads along the way. */
  readonly traded: (slot: number) => number;
  /** Upper bound of what an amount to sell becomes over a slot of the trade, and lower bound of what one to buy takes. */
  readonly atBest: (slot: number, amount: number) => number;
  /** Amount after an edge; undefined if the pool cannot do it. */
  readonly becomes: (edge: Edge, amount: number) => number | undefined;
  /** Whether a pool leads from a node to the end. */
  readonly closes: (node: number) => boolean;
}

/** The direction of paths for one side. Each pool counts as the deepest hyperbola that it may be in `atBest`. */
export function pathDirectionOf(search: Search, side: Side): PathDirection {
  const { source, sink, endOf, entryEnd, graph, time } = search;
  const { spot, depth, deepest } = graph;
  if (side === "exactIn")
    return {
      ...{ sells: true, begin: source, end: sink, lastEnd: entryEnd, traded: (slot) => slot },
      atBest: (slot, amount) => ((spot[slot] as number) * amount) / (1 + amount / (deepest[slot] as number)),
      closes: search.closes,
      // The amount that fills a pool is rounded up.
      becomes: (edge, amount) => (takesAll(edge.curve, amount - 1) ? paidBy(edge, amount, time) : undefined),
    };
  return {
    ...{ sells: false, begin: sink, end: source, lastEnd: endOf(source), traded: (slot) => graph.twin[slot] as number },
    atBest: (slot, amount) => {
      const rate = spot[slot] as number;
      const taken = amount / (rate - amount / (deepest[slot] as number));
      const trusted = TRUSTED_DEPTHS * (depth[slot] as number);
      if (taken >= 0 && !(taken > trusted)) return taken;
      return trusted > 0 ? Math.max(amount / rate, trusted) : Number.POSITIVE_INFINITY;
    },
    closes: search.opens,
    becomes: (edge, amount) => takenBy(edge, amount, time),
  };
}
