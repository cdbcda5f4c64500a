import type { Edge } from "./edges.ts";
import type { Session } from "./session.ts";

/** A chain of edges and what it pays for the amount it was found for. */
export interface FoundPath {
  readonly edges: readonly Edge[];
  readonly buyAmount: number;
}

/** What one layer of the search knows: the most of each token after exactly so many hops, and how. */
interface Layer {
  readonly nodes: number[];
  readonly amount: Map<number, number>;
  readonly via: Map<number, Edge>;
}

/**
 * The path of at most `maxHops` pools that pays most for `sellAmount`, net of `costPerGas` in bought units: one label a
 * token and layer, largest amount first (curves are monotone, so the largest amount is the best to go on with).
 */
export function bestPath(session: Session, sellAmount: number, costPerGas: number): FoundPath | undefined {
  const { source, sink, maxHops } = session;
  const distance = distancesTo(session);
  if ((distance.get(source) ?? Number.POSITIVE_INFINITY) > maxHops) return undefined;
  const layers: Layer[] = [{ nodes: [source], amount: new Map([[source, sellAmount]]), via: new Map() }];
  let best: FoundPath | undefined;
  let bestNet = Number.NEGATIVE_INFINITY;
  for (let hop = 1; hop <= maxHops; hop++) {
    const layer = extend(session, layers, hop, distance);
    const buyAmount = layer.amount.get(sink);
    if (buyAmount !== undefined) {
      const edges = trace([...layers, layer], sink);
      const net = buyAmount - costPerGas * edges.reduce((gas, edge) => gas + edge.curve.gas, 0);
      if (net > bestNet) {
        best = { edges, buyAmount };
        bestNet = net;
      }
    }
    layers.push(layer);
  }
  return best;
}

function extend(session: Session, layers: readonly Layer[], hop: number, distance: Map<number, number>): Layer {
  const { source, sink, maxHops } = session;
  const last = layers[hop - 1] as Layer;
  const amount = new Map<number, number>();
  const via = new Map<number, Edge>();
  const nodes: number[] = [];
  for (const node of last.nodes) {
    if (node === sink) continue;
    const available = last.amount.get(node) as number;
    for (const edge of session.graph.edgesFrom(node)) {
      const { to } = edge;
      if (to === source || (distance.get(to) ?? Number.POSITIVE_INFINITY) > maxHops - hop) continue;
      const known = amount.get(to) ?? 0;
      if (edge.spot * available <= known) continue;
      session.steps++;
      const out = edge.curve.buyAmountFor(available);
      if (out <= known || !session.allows(edge.pool) || repeats(layers, hop - 1, node, edge)) continue;
      if (known === 0) nodes.push(to);
      amount.set(to, out);
      via.set(to, edge);
    }
  }
  return { nodes, amount, via };
}

/** Whether the path to `node` has already seen the token or the pool that `next` would bring. */
function repeats(layers: readonly Layer[], hop: number, node: number, next: Edge): boolean {
  let at = node;
  for (let layer = hop; layer > 0; layer--) {
    const edge = (layers[layer] as Layer).via.get(at) as Edge;
    if (edge.to === next.to || edge.from === next.to || edge.pool === next.pool) return true;
    at = edge.from;
  }
  return false;
}

function trace(layers: readonly Layer[], sink: number): Edge[] {
  const edges: Edge[] = [];
  let at = sink;
  for (let hop = layers.length - 1; hop > 0; hop--) {
    const edge = (layers[hop] as Layer).via.get(at) as Edge;
    edges.unshift(edge);
    at = edge.from;
  }
  return edges;
}

/** Hops from each node to the sink, as far as a path may still be long. Pools are taken to trade both ways. */
function distancesTo(session: Session): Map<number, number> {
  const { sink, maxHops, graph } = session;
  const distance = new Map<number, number>([[sink, 0]]);
  let ring = [sink];
  for (let hop = 1; hop <= maxHops && ring.length > 0; hop++) {
    const next: number[] = [];
    for (const node of ring)
      for (const { to } of graph.edgesFrom(node))
        if (!distance.has(to)) {
          distance.set(to, hop);
          next.push(to);
        }
    ring = next;
  }
  return distance;
}
