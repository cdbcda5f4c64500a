import type { Bundle } from "../edges/bundle.ts";
import { depthAbout } from "../edges/depth.ts";
import type { Edge } from "../edges/edges.ts";
import type { Memory } from "../session/workspace.ts";

/** Edges and bundles over which a trade is split. Its numbers come by edge and then by bundle. */
export interface FlowProblem {
  readonly edges: readonly Edge[];
  readonly bundles?: readonly Bundle[];
}

/** Numbers of a problem's edges and bundles. */
export function numbersOf({ edges, bundles = [] }: FlowProblem, memory: Memory) {
  const count = edges.length + bundles.length;
  /** The nodes that each one leads between. */
  const from = memory.ints(count);
  const to = memory.ints(count);
  const spot = memory.floats(count);
  /** Edges with a depth are not asked for anything else; bundles have none. */
  const depth = memory.floats(count);
  /** The depth of a hyperbola that begins about as each of them does. */
  const opening = memory.floats(count);
  for (let i = 0; i < edges.length; i++) {
    const edge = edges[i] as Edge;
    from[i] = edge.from;
    to[i] = edge.to;
    spot[i] = edge.spot;
    depth[i] = edge.depth;
    opening[i] = depthAbout(edge.depth, edge.width);
  }
  for (let i = 0, at = edges.length; i < bundles.length; i++, at++) {
    const bundle = bundles[i] as Bundle;
    from[at] = bundle.from;
    to[at] = bundle.to;
    spot[at] = bundle.spot;
    depth[at] = Number.NaN;
    opening[at] = bundle.depth;
  }
  return { from, to, spot, depth, opening };
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
