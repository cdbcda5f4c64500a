import { TRUSTED_DEPTHS } from "./depth.ts";
import type { Edge } from "./edges.ts";
import { type Layer, mark, pathTo, repeats } from "./layers.ts";
import type { Session } from "./session.ts";

/** A chain of edges and what it pays for the amount it was found for. */
export interface FoundPath {
  readonly edges: readonly Edge[];
  readonly buyAmount: number;
}

/**
 * The path of at most `maxHops` pools that pays most for `sellAmount`, net of `costPerGas` in bought units: one label a
 * token and layer, largest amount first (curves are monotone, so the largest amount is the best to go on with).
 */
export function bestPath(session: Session, sellAmount: number, costPerGas: number): FoundPath | undefined {
  const { source, sink, maxHops } = session;
  const layers = session.layers.clear(maxHops, session.graph.size);
  mark(layers[0] as Layer, source, sellAmount, undefined, source);
  let best: FoundPath | undefined;
  let bestNet = Number.NEGATIVE_INFINITY;
  for (let hop = 1; hop <= maxHops; hop++) {
    if (hop > 1) extend(session, layers, hop - 1);
    close(session, layers, hop);
    const buyAmount = (layers[hop] as Layer).amount[sink] as number;
    if (buyAmount === 0) continue;
    const edges = pathTo(layers, hop, sink);
    const net = buyAmount - costPerGas * edges.reduce((gas, edge) => gas + edge.curve.gas, 0);
    if (net > bestNet) {
      best = { edges, buyAmount };
      bestNet = net;
    }
  }
  return best;
}

/** Spreads the labels of the layer before to layer `hop`, leaving the sink out. */
function extend(session: Session, layers: readonly Layer[], hop: number): void {
  const { source, sink, maxHops } = session;
  const last = layers[hop - 1] as Layer;
  const next = layers[hop] as Layer;
  const lastChance = hop === maxHops - 1;
  for (const node of last.nodes) {
    const available = last.amount[node] as number;
    const { edges, to, spot, depth } = session.leaving(node);
    session.layers.hold(session.graph.size);
    const known = session.layers.most;
    session.steps += to.length;
    for (let i = 0; i < to.length; i++) {
      const target = to[i] as number;
      const most = (spot[i] as number) * available;
      if (most <= (known[target] as number)) continue;
      // What a hyperbola pays; NaN, any other curve, passes.
      const depths = available / (depth[i] as number);
      let out = most / (1 + depths);
      if (out <= (known[target] as number)) continue;
      if (target === source || target === sink || (lastChance && !session.closes(target))) continue;
      const edge = edges[i] as Edge;
      if (!(depths <= TRUSTED_DEPTHS)) out = edge.curve.buyAmountFor(available);
      if (out <= (known[target] as number) || !session.allows(edge) || repeats(layers, hop - 1, node, edge)) continue;
      mark(next, target, out, edge, source);
      known[target] = out;
    }
  }
}

/** The best last hop to the sink in layer `hop`. */
function close(session: Session, layers: readonly Layer[], hop: number): void {
  const last = layers[hop - 1] as Layer;
  const next = layers[hop] as Layer;
  for (const edge of session.closing) {
    const available = last.amount[edge.from] as number;
    const known = next.amount[session.sink] as number;
    if (available === 0 || edge.spot * available <= known) continue;
    session.steps++;
    const out = edge.curve.buyAmountFor(available);
    if (out <= known || !session.allows(edge) || repeats(layers, hop - 1, edge.from, edge)) continue;
    mark(next, session.sink, out, edge, session.source);
  }
}
