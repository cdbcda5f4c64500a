import type { Bundle } from "../edges/bundle.ts";
import { depthAbout } from "../edges/depth.ts";
import type { Edge } from "../edges/edges.ts";
import type { FlatGraph } from "../edges/flat-graph.ts";
import type { Memory } from "../session/workspace.ts";

/** Edges, by position, and bundles over which a trade is split. */
export interface FlowProblem {
  readonly edgeCount: number;
  edgeAt(position: number): Edge;
  readonly bundles: readonly Bundle[];
  /** Writes what there is to know of the edges. */
  write(numbers: FlowNumbers): void;
}

/** Numbers of a flow problem, by edge and then by bundle. */
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

/** A problem of edges alone. */
export function problemOf(edges: readonly Edge[]): FlowProblem {
  return {
    edgeCount: edges.length,
    edgeAt: (position) => edges[position] as Edge,
    bundles: [],
    write({ from, to, spot, depth, opening }) {
      for (let i = 0; i < edges.length; i++) {
        const edge = edges[i] as Edge;
        from[i] = edge.from;
        to[i] = edge.to;
        spot[i] = edge.spot;
        depth[i] = edge.depth;
        opening[i] = depthAbout(edge.depth, edge.width);
      }
    },
  };
}

/** A problem of slots of a graph, whose numbers lie there side by side, and bundles. */
export function problemIn(graph: FlatGraph, slots: readonly number[], bundles: readonly Bundle[]): FlowProblem {
  return {
    edgeCount: slots.length,
    edgeAt: (position) => graph.edgeAt(slots[position] as number),
    bundles,
    write({ from, to, spot, depth, opening }) {
      for (let i = 0; i < slots.length; i++) {
        const slot = slots[i] as number;
        const own = graph.depth[slot] as number;
        from[i] = graph.from[slot] as number;
        to[i] = graph.to[slot] as number;
        spot[i] = graph.spot[slot] as number;
        depth[i] = own;
        opening[i] = depthAbout(own, graph.width[slot] as number);
      }
    },
  };
}

export function numbersOf(problem: FlowProblem, memory: Memory): FlowNumbers {
  const { edgeCount, bundles } = problem;
  const count = edgeCount + bundles.length;
  const from = memory.ints(count);
  const to = memory.ints(count);
  const spot = memory.floats(count);
  const depth = memory.floats(count);
  const opening = memory.floats(count);
  const numbers = { from, to, spot, depth, opening };
  problem.write(numbers);
  for (let i = 0; i < bundles.length; i++) {
    const bundle = bundles[i] as Bundle;
    from[edgeCount + i] = bundle.from;
    to[edgeCount + i] = bundle.to;
    spot[edgeCount + i] = bundle.spot;
    depth[edgeCount + i] = Number.NaN;
    opening[edgeCount + i] = bundle.depth;
  }
  return numbers;
}

/**
 * The nodes, `given` among them, in the order of their positions in the vectors, which `place` is left with; `unit` comes
 * last. Nodes of few edges come first: the factors of the matrix then stay as sparse as the graph nearly is.
 */
export function nodesOf(from: Int32Array, to: Int32Array, given: number, unit: number, place: Int32Array): number[] {
  const nodes = [given];
  const degrees = [0];
  place[given] = 0;
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
  /** By degree where the nodes that have it begin: counted out, since a comparison costs more than all the rest here. */
  const begins = [0];
  for (let i = 0; i < nodes.length; i++) {
    if (nodes[i] === unit) continue;
    const degree = degrees[i] as number;
    while (begins.length <= degree + 1) begins.push(0);
    begins[degree + 1]! += 1;
  }
  for (let degree = 1; degree < begins.length; degree++) begins[degree]! += begins[degree - 1] as number;
  const ordered = nodes.slice();
  for (let i = 0; i < nodes.length; i++) {
    if (nodes[i] === unit) continue;
    const degree = degrees[i] as number;
    ordered[begins[degree] as number] = nodes[i] as number;
    begins[degree]! += 1;
  }
  if (place[unit] === -1) ordered.push(unit);
  else ordered[nodes.length - 1] = unit;
  for (let i = 0; i < ordered.length; i++) place[ordered[i] as number] = i;
  return ordered;
}
