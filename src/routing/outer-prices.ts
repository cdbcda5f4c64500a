import { TRUSTED_DEPTHS } from "./depth.ts";
import type { Edge } from "./edges.ts";
import { type Layer, mark } from "./layers.ts";
import type { Session } from "./session.ts";

/** A price for every token that a route can pass, in bought units. */
export interface SpreadPrices {
  /** The priced nodes, those of the flow first. */
  readonly nodes: readonly number[];
  /** Prices by node; 0 where there is none. */
  readonly price: Float64Array;
  /** Hops from a node to the nearest token of the flow. */
  readonly ring: Int32Array;
}

/** How often a token's price may fall before cycles that earn (pools out of line) are left to the sum of profits. */
const MOST_VISITS = 6;
/** Relative gain below which a cheaper way to a token is none. */
const LEAST_GAIN = 1e-9;

/**
 * Prices for the tokens around a flow: what it costs to buy them with a parcel worth `parcel` of any token of the flow,
 * over as many pools as make it cheapest. No pool between such tokens earns anything at these prices, unless it is too
 * small for the parcel; nor does one that leads back, unless the flow misses a better way. A path of `maxHops` pools
 * leaves the flow for at most half its length: tokens further away need no price.
 */
export function spreadPrices(session: Session, logPrices: ReadonlyMap<number, number>, parcel: number): SpreadPrices {
  const rings = Math.floor(session.maxHops / 2);
  const layers = session.layers.clear(Math.max(1, session.maxHops), session.graph.size);
  const labels = layers[0] as Layer;
  const visits = layers[1] as Layer;
  for (const [node, logPrice] of logPrices) mark(labels, node, parcel / Math.exp(logPrice), undefined, 0);
  const waiting = [...labels.nodes];
  for (let at = 0; at < waiting.length; at++) {
    const node = waiting[at] as number;
    visits.origin[node] = 0;
    if (node === session.sink) continue;
    const available = labels.amount[node] as number;
    const ring = labels.origin[node] as number;
    const { edges, to, spot, depth } = session.leaving(node);
    session.layers.hold(session.graph.size);
    session.steps += to.length;
    for (let i = 0; i < to.length; i++) {
      const target = to[i] as number;
      const known = labels.amount[target] as number;
      const most = (spot[i] as number) * available;
      if (most <= known || (known === 0 ? ring === rings : labels.origin[target] === 0)) continue;
      const depths = available / (depth[i] as number);
      const least = known * (1 + LEAST_GAIN);
      let amount = most / (1 + depths);
      if (amount <= least) continue;
      const edge = edges[i] as Edge;
      if (!(depths <= TRUSTED_DEPTHS)) amount = edge.curve.buyAmountFor(available);
      if (amount <= least || !session.allows(edge)) continue;
      const seen = visits.amount[target] as number;
      if (seen >= MOST_VISITS) continue;
      const queued = visits.origin[target] === 1 && seen > 0;
      mark(visits, target, seen + 1, undefined, 1);
      mark(labels, target, amount, undefined, known === 0 ? ring + 1 : (labels.origin[target] as number));
      if (!queued) waiting.push(target);
    }
  }
  const { nodes } = labels;
  for (const node of nodes) labels.amount[node] = parcel / (labels.amount[node] as number);
  return { nodes, price: labels.amount, ring: labels.origin };
}
