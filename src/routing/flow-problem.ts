import type { Edge } from "./edges.ts";
import type { FlatGraph } from "./flat-graph.ts";

/** The edges that a trade is split over, in arrays; edges with a depth are not asked for anything else. */
export interface FlowProblem {
  /** The nodes that each edge leads between. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly spot: Float64Array;
  readonly depth: Float64Array;
  readonly edgeAt: (i: number) => Edge;
}

export function problemOfEdges(edges: readonly Edge[]): FlowProblem {
  return {
    from: Int32Array.from(edges, ({ from }) => from),
    to: Int32Array.from(edges, ({ to }) => to),
    spot: Float64Array.from(edges, ({ spot }) => spot),
    depth: Float64Array.from(edges, ({ depth }) => depth),
    edgeAt: (i) => edges[i] as Edge,
  };
}

export function problemOfSlots(flat: FlatGraph, slots: readonly number[]): FlowProblem {
  const count = slots.length;
  const from = new Int32Array(count);
  const to = new Int32Array(count);
  const spot = new Float64Array(count);
  const depth = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const slot = slots[i] as number;
    from[i] = flat.from[slot] as number;
    to[i] = flat.to[slot] as number;
    spot[i] = flat.spot[slot] as number;
    depth[i] = flat.depth[slot] as number;
  }
  return { from, to, spot, depth, edgeAt: (i) => flat.edges[slots[i] as number] as Edge };
}

/**
 * The nodes in the order of their positions in the vectors, which `place` is left with; the sink comes last. Nodes of few
 * edges come first: the factors of the matrix then stay as sparse as the graph nearly is.
 */
export function nodesOf(from: Int32Array, to: Int32Array, source: number, sink: number, place: Int32Array): number[] {
  const nodes = [source];
  const degrees = [0];
  place[source] = 0;
  const count = (node: number) => {
    if (place[node] === -1) {
      place[node] = nodes.length;
      nodes.push(node);
      degrees.push(0);
    }
    degrees[place[node] as number]! += 1;
  };
  for (let i = 0; i < from.length; i++) {
    count(from[i] as number);
    count(to[i] as number);
  }
  const inner = nodes.filter((node) => node !== sink);
  inner.sort((a, b) => (degrees[place[a] as number] as number) - (degrees[place[b] as number] as number));
  const ordered = [...inner, sink];
  ordered.forEach((node, i) => {
    place[node] = i;
  });
  return ordered;
}
