import type { Bundle } from "./bundle.ts";
import { DEPTH_OF_WIDTH } from "./depth.ts";
import type { Edge } from "./edges.ts";
import type { Room } from "./scratch.ts";

/** What a trade is split over. */
export interface FlowProblem {
  readonly edges: readonly Edge[];
  readonly bundles: readonly Bundle[];
}

/** The same in numbers, by edge and, behind these, by bundle. */
export interface FlowNumbers {
  /** The nodes that each one leads between. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly spot: Float64Array;
  /** Edges with a depth are not asked for anything else; bundles have none. */
  readonly depth: Float64Array;
  /** The depth of a hyperbola that begins about as each of them does. */
  readonly opening: Float64Array;
}

export function numbersOf({ edges, bundles }: FlowProblem, room: Room): FlowNumbers {
  const count = edges.length + bundles.length;
  const from = room.ints(count);
  const to = room.ints(count);
  const spot = room.floats(count);
  const depth = room.floats(count);
  const opening = room.floats(count);
  for (let i = 0; i < edges.length; i++) {
    const edge = edges[i] as Edge;
    from[i] = edge.from;
    to[i] = edge.to;
    spot[i] = edge.spot;
    depth[i] = edge.depth;
    opening[i] = edge.depth > 0 ? edge.depth : DEPTH_OF_WIDTH * edge.width;
  }
  for (let i = 0; i < bundles.length; i++) {
    const bundle = bundles[i] as Bundle;
    from[edges.length + i] = bundle.from;
    to[edges.length + i] = bundle.to;
    spot[edges.length + i] = bundle.spot;
    depth[edges.length + i] = Number.NaN;
    opening[edges.length + i] = bundle.depth;
  }
  return { from, to, spot, depth, opening };
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
  const ordered = nodes.filter((node) => node !== sink);
  ordered.sort((a, b) => (degrees[place[a] as number] as number) - (degrees[place[b] as number] as number));
  ordered.push(sink);
  for (let i = 0; i < ordered.length; i++) place[ordered[i] as number] = i;
  return ordered;
}
